function Remainder(n: int): int
  requires n < 0
{
  n % 5
}
