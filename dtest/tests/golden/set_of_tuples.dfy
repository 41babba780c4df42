function Pairs(n: nat): set<(int, int)> {
  set i, j | 0 <= i < j < n :: (i, j)
}
