function Pick(): int {
  var n :| n == 3, n < 9;
  n
}
