method Size(a: array?<int>) returns (n: int) {
  if a == null {
    return -1;
  }
  return a.Length;
}
