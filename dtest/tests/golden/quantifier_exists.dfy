predicate HasZero(s: seq<int>) {
  exists i | 0 <= i < |s| :: s[i] == 0
}
