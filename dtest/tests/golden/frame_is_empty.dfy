class Cell {
  var value: int
}

method Look(c: Cell) returns (r: int) {
  r := c.value;
}
