method Pair(n: int) returns (r: int) {
  var p := (n, ghost n + 1);
  r := p.0;
}
