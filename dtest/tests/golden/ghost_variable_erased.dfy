method Steps(n: int) returns (r: int) {
  ghost var before := n;
  r := n + 1;
  assert r > before;
}
