class Cell {
  var value: int
}
function Get(c: Cell): int {
  c.valeu
}
