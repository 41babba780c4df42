// accepted
method Breaks(a: array<int>)
  modifies a
  decreases *
{
  label Outer: while true
    decreases *
  {
    label Inner: for i := 0 to 3 {
      if * { continue Inner; } else if * { continue Outer; }
      break break;
    }
    label Rest: { if * { break Rest; } }
    if * { break Outer; }
  }
  label There: print a.Length;
  assert old@There(a.Length) == a.Length;
  label Both: label Of: if * { break Of; }
  forall i | 0 <= i < a.Length { a[i] := 0; }
  while true decreases * { forall i | 0 <= i < 1 ensures true { while true decreases 0 { break; } } }
}

method Labels(x: int)
  requires Small: x < 10
{
  { label Here: print x; }
  assert old@Here(x) == x by { reveal Small; }
  assert 12: x < 10;
  assert x < 11 by { reveal 12, Small; }
  if x > 0 { assert Again: true; reveal Again; } else { assert Again: true; }
}
