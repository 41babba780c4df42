class Cell {
  static method Make() {}
}
method Use() {
  var c := new Cell.Make();
}
