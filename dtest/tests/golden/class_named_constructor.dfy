class Range {
  const low: int
  const high: int

  constructor Single(n: int)
    ensures low == n && high == n
  {
    low, high := n, n;
  }
}
