method Use() {
  var n := 3;
  var n := 4;
}
