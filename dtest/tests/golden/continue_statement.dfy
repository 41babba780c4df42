method Odds(n: nat) returns (count: nat) {
  count := 0;
  for i := 0 to n {
    if i % 2 == 0 {
      continue;
    }
    count := count + 1;
  }
}
