function Secret(n: int): int {
  2 * n
}

method {:isolate_assertions} Use(n: int) returns (r: int) {
  hide *;
  reveal Secret;
  r := Secret(n);
}
