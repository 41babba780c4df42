class Cell {
  constructor Empty() {}
}
method Use(c: Cell) {
  c.Empty();
}
