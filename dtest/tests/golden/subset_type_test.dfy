// gen --strength coverage --type-system-refresh --general-newtypes
type Positive = x: int | x > 0 witness 1

function Checked(n: int): Positive {
  if n is Positive then n as Positive else 1
}
