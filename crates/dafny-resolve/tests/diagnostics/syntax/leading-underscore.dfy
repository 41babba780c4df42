method Use() {
  var _hidden := 3;
}
