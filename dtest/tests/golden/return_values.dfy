method Classify(n: int) returns (name: string, rank: int) {
  if n < 0 {
    return "negative", -1;
  }
  return "other", 1;
}
