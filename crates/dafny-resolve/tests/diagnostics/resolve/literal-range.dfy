method Large() returns (b: bv4, c: bv1) {
  if b == 99 { }
}
