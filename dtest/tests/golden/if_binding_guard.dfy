method Find(s: set<int>) returns (r: int) {
  if x :| x in s && x > 10 {
    r := 1;
  } else {
    r := 0;
  }
}
