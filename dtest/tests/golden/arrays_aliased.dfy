method Same(a: array<int>, b: array<int>) returns (r: bool) {
  if a == b {
    return true;
  }
  return false;
}
