function Symmetric(a: set<int>, b: set<int>): set<int> {
  (a - b) + (b - a)
}
