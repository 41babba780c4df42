method Use(x: int) {
  assert x > 0
}
