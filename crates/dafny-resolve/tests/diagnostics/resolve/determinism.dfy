// options: --enforce-determinism=true
method Pick() returns (n: int) {
  n :| 0 <= n < 10;
}
