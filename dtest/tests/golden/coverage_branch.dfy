// gen --strength coverage --coverage branch
method Positive(n: int) returns (r: int) {
  r := 0;
  if n > 0 {
    r := n;
  }
}
