method Flip(n: int) returns (r: int)
  ensures r == n || r == -n
{
  if * {
    r := n;
  } else {
    r := -n;
  }
}
