// gen --strength coverage --entry Main
function Double(n: int): int {
  2 * n
}

method Main() {
  print Double(4), "\n";
}
