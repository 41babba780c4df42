function Half(n: int): int
  modifies {}
{
  n / 2
}
