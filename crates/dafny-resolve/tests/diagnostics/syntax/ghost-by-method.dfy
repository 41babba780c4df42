ghost function Half(n: int): int {
  n / 2
} by method {
  return n / 2;
}
