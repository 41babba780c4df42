method Small(n: int) returns (r: int) {
  if n >= 5 {
    expect false;
  }
  r := n;
}
