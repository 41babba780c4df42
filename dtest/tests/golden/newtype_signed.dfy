newtype Short = x: int | -128 <= x < 128

function Quotient(a: Short, b: Short): int
  requires b != 0
{
  (a as int) / (b as int)
}
