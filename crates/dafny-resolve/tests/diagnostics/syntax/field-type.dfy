class Cell {
  var value
}
