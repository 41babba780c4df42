method One() returns (x: int) { return 3; }
method Mixed() returns (x: int, y: int) {
  return 1,
    One();
}
