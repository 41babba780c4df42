// refused: 6, 12
iterator Count(n: nat) yields (i: nat)
{
  for k := 0 to n {
    if k == 7 {
      return;
    }
    yield k;
  }
  var some := [1, 2];
  if some == [] {
    return 3;
  }
}

method Ask() returns (more: bool, i: nat)
{
  var it := new Count(4);
  more := it.MoveNext();
  return more, it.i;
}

iterator Stops(n: nat) yields (i: nat)
{
  label all: {
    i := n;
    if i == 3 {
      break all;
    }
    yield;
  }
}
