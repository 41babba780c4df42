class Cell {
  var value: int
}

method Reader(c: Cell) returns (r: int)
  ensures r == c.value
{
  var f: () ~> int := () reads c => c.value;
  r := f();
}
