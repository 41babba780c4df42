class Cell {
  var value: int
