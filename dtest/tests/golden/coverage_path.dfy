// gen --strength coverage --coverage path
method Steps(a: bool, b: bool) returns (n: int) {
  n := 0;
  if a {
    n := n + 1;
  }
  if b {
    n := n + 2;
  }
}
