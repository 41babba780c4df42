function Bag(s: seq<int>): multiset<int> {
  multiset(s) + multiset{0, 0}
}
