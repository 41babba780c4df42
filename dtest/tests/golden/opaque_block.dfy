method Sum(n: int) returns (r: int)
  ensures r >= n
{
  r := n;
  opaque
    ensures r >= n
  {
    r := r + 1;
  }
}
