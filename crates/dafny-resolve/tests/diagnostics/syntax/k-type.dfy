predicate Even[nat](n: nat) {
  n % 2 == 0
}
