method Squared(n: int) returns (r: int, ghost root: int)
  ensures r == root * root
{
  r, root := n * n, n;
}
