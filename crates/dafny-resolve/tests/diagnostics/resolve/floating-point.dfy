method Half(x: fp64) returns (r: fp64) {
  r := x;
}
