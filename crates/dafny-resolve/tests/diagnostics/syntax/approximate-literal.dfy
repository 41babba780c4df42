method Third() returns (r: real) {
  r := ~0.3;
}
