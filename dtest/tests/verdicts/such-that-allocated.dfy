// refused: 4, 10
class Cell { }
method Declared(c: Cell) {
  var z :| z == 1 && allocated(c);
}
method Ghost(c: Cell) {
  ghost var z :| z == 1 && allocated(c);
}
method Assigned(c: Cell) returns (z: int) {
  z :| z == 1 && allocated(c);
}
method Compiled(c: Cell) returns (b: bool) {
  b := allocated(c);
}
