function Sums(): set<int> {
  set x: int, y: int | 0 <= x < 3 && 0 <= y < 3
}
