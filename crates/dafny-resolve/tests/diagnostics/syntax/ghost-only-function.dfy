least predicate method Even(n: nat) {
  n == 0
}
