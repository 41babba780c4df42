predicate Sorted(s: seq<int>) {
  forall i, j | 0 <= i < j < |s| :: s[i] <= s[j]
}
