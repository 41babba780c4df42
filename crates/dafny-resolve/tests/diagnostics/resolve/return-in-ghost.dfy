method Find(s: seq<int>, ghost key: int) returns (i: int) {
  i := 0;
  if key == 0 {
    return;
  }
  i := |s|;
}
