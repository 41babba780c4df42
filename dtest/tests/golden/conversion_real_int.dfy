function Truncated(x: real): int
  requires x == x.Floor as real
{
  x as int
}
