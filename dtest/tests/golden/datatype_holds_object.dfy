class Cell {
  var value: int
}

datatype Holder = Holder(cell: Cell)

method Read(h: Holder) returns (r: int) {
  r := h.cell.value;
}
