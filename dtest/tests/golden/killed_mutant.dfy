// gen --strength mutants
predicate Positive(n: int) {
  n > 0
}
