method Fill(a: array<int>)
  modifies a
  ensures forall i | 0 <= i < a.Length :: a[i] == i
{
  forall i | 0 <= i < a.Length {
    a[i] := i;
  }
}
