// refused: 4, 8, 14, 22, 25, 30, 35, 44, 49, 55, 64
method Jumps(a: array<int>) decreases *
{
  label L: break L;
  label Loop: while true
    decreases *
  {
    forall i | 0 <= i < 3 { break Loop; }
    assert true by {
      while true invariant true { break; }
    }
    label Block: {
      if * { break Block; }
      continue Block;
    }
    break Loop;
  }
}

method Calculations() {
  while true {
    calc { 1; { break; } 1; }
    if case true => break;
    break;
    break break;
  }
}

method Twice(x: int)
  requires A: x > 0 requires A: x > 1
{
}

method Dominated(x: int) {
  label P: assert P: true;
  if x > 0 {
    label Q: print 1;
  } else {
    label Q: print 2;
  }
}

method {:isolate_assertions} Old(c: array<int>) {
  if c.Length > 0 { label Before: print 1; } assert old@Before(c.Length) == c.Length;
}

method Reveals(x: int) {
  if x > 0 { assert Pos: x > 0; }
  reveal Pos;
}

method Shadow()
{
  label M: while true {
    label M: if true { break M; }
    break;
  }
}

function Reveal(x: int): int
  requires Positive: x > 0
{
  assert x > 0 by { reveal Positive; }
  reveal Positive(); x
}
