method Grid() {
  var g := new int[2, 2] [1, 2, 3, 4];
}
