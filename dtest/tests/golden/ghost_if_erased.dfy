method Kept(n: int) returns (r: int) {
  ghost var g := 0;
  if n > 0 {
    g := 1;
  }
  r := n;
}
