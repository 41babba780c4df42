method Sum(n: nat) returns (s: nat) {
  s := 0;
  var i := 0;
  while i < n
    invariant i <= n
  {
    i := i + 1;
    s := s + i;
  }
}
