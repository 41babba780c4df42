method Same(a: object, b: object) returns (r: bool) {
  r := a == b;
}
