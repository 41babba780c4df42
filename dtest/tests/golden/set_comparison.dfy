predicate Inside(a: set<int>, b: set<int>) {
  a <= b && a !! {0}
}
