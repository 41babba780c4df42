ghost function Double(n: int): int {
  2 * n
}

method Twice(n: int) returns (r: int)
  ensures r == Double(n)
{
  r := n + n;
}
