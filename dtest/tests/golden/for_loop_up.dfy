method Last(n: nat) returns (r: nat) {
  r := 0;
  for i := 0 to n {
    r := i;
  }
}
