function Sum(): int {
  var a, b := 1;
  a + b
}
