class Cell { }
method M() {
  var a := new Cell?;
}
