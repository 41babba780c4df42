iterator Count(n: nat) yields (x: nat)
{
  var i := 0;
  while i < n {
    yield i;
    i := i + 1;
  }
}

method First() returns (r: int) {
  var it := new Count(2);
  var more := it.MoveNext();
  r := if more then it.x else -1;
}
