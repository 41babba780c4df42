predicate Even(n: nat) {
  n == 0 || Odd(n - 1)
}

predicate Odd(n: nat) {
  n != 0 && Even(n - 1)
}
