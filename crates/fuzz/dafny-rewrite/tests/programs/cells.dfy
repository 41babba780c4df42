// A class without constructors, whose fields can hold variables.
class Cell {
  var value: int
  var marked: bool
}

method Twice(n: int, negative: bool) returns (r: int)
  ensures r == if negative then -2 * n else 2 * n
{
  var x := n;
  var changed := false;
  x := x + n;
  if negative {
    x, changed := -x, true;
  }
  assert changed == negative;
  r := x;
}

method Both() returns (r: int)
  ensures r == 2
{
  var up := Twice(3, false);
  var down := Twice(2, true);
  r := up + down;
}
