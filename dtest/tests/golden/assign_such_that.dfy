method Pick(n: int) returns (r: int)
  ensures r > n
{
  r :| r == n + 1;
}
