const Limit := Lmit
const Lmiit := 3
