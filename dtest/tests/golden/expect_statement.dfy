method Root(n: int) returns (r: int) {
  expect n >= 0, "negative";
  r := n;
}
