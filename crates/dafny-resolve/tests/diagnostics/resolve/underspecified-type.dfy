const a := b
const b := a
