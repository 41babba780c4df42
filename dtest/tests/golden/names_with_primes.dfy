function Next'(x: int, x': int, y?: int): int {
  x + x' + y?
}
