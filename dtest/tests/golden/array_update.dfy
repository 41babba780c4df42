method Store(a: array<int>, i: nat, x: int)
  requires i < a.Length
  modifies a
  ensures a[..] == old(a[..])[i := x]
{
  a[i] := x;
}
