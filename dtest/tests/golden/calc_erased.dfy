method Doubled(n: int) returns (r: int)
  ensures r == 2 * n
{
  calc {
    n + n;
  ==
    2 * n;
  }
  r := n + n;
}
