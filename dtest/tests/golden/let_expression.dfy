function Area(w: int, h: int): int {
  var a := w * h;
  var b, c := a + 1, a - 1;
  b * c
}
