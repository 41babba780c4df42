method Use() {
  var n = 3;
}
