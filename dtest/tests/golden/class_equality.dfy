class Cell {
  var value: int
}

predicate Same(a: Cell, b: Cell) {
  a == b
}
