iterator Iter(a: seq<int>) yields (y: int)
{
  var f := (i: int) => |a| + i;
  y := f(2);
  yield;
  y := f(|a|);
  yield;
}
method Main()
  decreases *
{
  var it := new Iter([1, 2]);
  var more := it.MoveNext();
  while more decreases * { print it.y, "\n"; more := it.MoveNext(); }
}
