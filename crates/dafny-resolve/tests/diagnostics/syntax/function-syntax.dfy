function method Half(n: int): int {
  n / 2
}
