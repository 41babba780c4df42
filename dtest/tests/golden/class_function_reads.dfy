class Cell {
  var value: int

  function Next(): int
    reads this
  {
    value + 1
  }
}
