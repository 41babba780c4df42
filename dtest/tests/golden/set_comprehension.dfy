function Evens(n: nat): set<int> {
  set x | 0 <= x < n && x % 2 == 0
}
