method Inner(n: int) returns (r: int)
  ensures r == n + 1
{
  r := n + 1;
}

method Outer(n: int) returns (r: int)
  ensures r == n + 2
{
  r := Inner(n);
  r := Inner(r);
}
