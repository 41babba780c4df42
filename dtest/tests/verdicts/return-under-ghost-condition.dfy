// refused: 4
method Find(ghost g: bool) returns (found: int) {
  if g {
    return 3;
  }
  return 4;
}
