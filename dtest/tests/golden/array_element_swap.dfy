method Swap(a: array<int>)
  requires a.Length == 2
  modifies a
  ensures a[0] == old(a[1]) && a[1] == old(a[0])
{
  a[0], a[1] := a[1], a[0];
}
