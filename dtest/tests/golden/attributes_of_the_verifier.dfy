method {:isolate_assertions} {:timeLimitMultiplier 2} Same(n: int) returns (r: int) {
  r := n;
}
