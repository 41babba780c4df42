method Set(ghost secret: bool) returns (r: int) {
  r := 0;
  if secret {
    r := 1;
  }
}
