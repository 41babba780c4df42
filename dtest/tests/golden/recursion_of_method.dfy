method Factorial(n: nat) returns (r: nat) {
  if n == 0 {
    return 1;
  }
  r := Factorial(n - 1);
  r := n * r;
}
