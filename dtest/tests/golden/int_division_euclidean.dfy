function Split(n: int): (int, int) {
  (n / -3, n % -3)
}
