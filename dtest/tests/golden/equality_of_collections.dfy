predicate Same(a: seq<int>, b: multiset<int>) {
  multiset(a) == b
}
