method Clamped(n: int) returns (r: int) {
  r := n;
  label small: {
    if n <= 10 {
      break small;
    }
    r := 10;
  }
}
