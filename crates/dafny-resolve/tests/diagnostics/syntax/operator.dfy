predicate Apart(a: set<int>, b: set<int>) {
  a ! ! b
}
