predicate AllPositive(s: set<int>) {
  forall x <- s :: x > 0
}
