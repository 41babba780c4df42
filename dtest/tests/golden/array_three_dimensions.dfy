method Size(a: array3<int>) returns (n: int)
  requires a.Length0 == 1 && a.Length1 == 2 && a.Length2 == 1
{
  n := a.Length0 * a.Length1 * a.Length2 + a[0, 1, 0];
}
