function Half(n: int): int {
  n / 2
}
method Use() {
  Half(3);
}
