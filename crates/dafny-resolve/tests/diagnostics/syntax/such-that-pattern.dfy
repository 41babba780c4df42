function Pick(): int {
  var (a, b) :| a == 3;
  a
}
