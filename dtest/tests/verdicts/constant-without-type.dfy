// refused: 2
const a := b
const b := a
const c := 3
