method Pairs(n: nat) returns (count: nat) {
  count := 0;
  for i := 0 to n {
    for j := 0 to n {
      if i + j == 2 {
        break break;
      }
      count := count + 1;
    }
  }
}
