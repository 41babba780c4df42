function Code(c: char): int {
  c as int
}
