class Cell { }
method Declared(c: Cell) {
  var z :| z == 1 && allocated(c);
}
