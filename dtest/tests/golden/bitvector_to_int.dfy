function Value(a: bv8): int {
  a as int + 1
}
