method Find(s: seq<int>, ghost key: int) {
  for i := 0 to |s| {
    if s[i] == key {
      break;
    }
  }
}
