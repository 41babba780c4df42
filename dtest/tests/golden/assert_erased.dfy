method Checked(n: int) returns (r: int) {
  assert n + 0 == n by {
    assert true;
  }
  r := n;
}
