function Literals(): (int, int, real) {
  (1_000_000, 0xFF, 12.50)
}
