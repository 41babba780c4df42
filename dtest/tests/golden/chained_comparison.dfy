predicate Between(a: int, b: int, c: int) {
  a < b <= c
}
