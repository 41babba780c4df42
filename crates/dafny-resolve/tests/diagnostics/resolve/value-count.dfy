method Two() returns (x: int, y: int) {
  return 3;
}
