predicate Below(a: bv8, b: bv8) {
  a < b && a != 0
}
