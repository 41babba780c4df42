class Cell {
  var value: int
}

method First(a: array<Cell>) returns (r: int)
  requires a.Length > 0
{
  r := a[0].value;
}
