method Rotate(a: array<int>)
  requires a.Length > 0
  modifies a
{
  forall i | 0 <= i < a.Length {
    a[i] := a[(i + 1) % a.Length];
  }
}
