method Next(n: int) returns (r: int) {
  r := n + 1;
}
method Use(ghost n: int) {
  if n > 0 {
    var m := Next(3);
  }
}
