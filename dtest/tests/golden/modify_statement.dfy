class Cell {
  var value: int

  method Scramble()
    modifies this
    ensures value == 3
  {
    modify this;
    value := 3;
  }
}
