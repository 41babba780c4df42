method Swap(a: int, b: int) returns (x: int, y: int) {
  x, y := a, b;
  x, y := y, x;
}
