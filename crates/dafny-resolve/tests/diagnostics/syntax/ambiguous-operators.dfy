predicate Both(a: bool, b: bool, c: bool) {
  a && b || c
}
