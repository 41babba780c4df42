newtype Meters = int

function Twice(m: Meters): Meters {
  m * 2
}
