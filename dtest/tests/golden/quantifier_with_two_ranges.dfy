predicate Common(s: seq<int>, t: set<int>) {
  exists i, x | 0 <= i < |s| && x in t :: s[i] == x
}
