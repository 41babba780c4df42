function Sizes(s: set<int>, m: map<int, int>, b: multiset<int>): nat {
  |s| + |m| + |b|
}
