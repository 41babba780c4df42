class Cell {
  var x: int
  var read: () ~> int
  method Store()
    modifies this
  {
    read := () reads this => x;
  }
}
