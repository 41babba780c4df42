ghost ghost predicate Odd(n: int) {
  n % 2 == 1
}
