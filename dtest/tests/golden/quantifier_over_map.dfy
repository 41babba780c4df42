predicate Identity(m: map<int, int>) {
  forall k <- m.Keys :: m[k] == k
}
