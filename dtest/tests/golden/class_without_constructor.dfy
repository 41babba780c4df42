class Point {
  var x: int
  var y: int
}

method Origin() returns (p: Point)
  ensures fresh(p)
{
  p := new Point;
  p.x, p.y := 0, 0;
}
