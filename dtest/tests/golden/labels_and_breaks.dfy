method Find(rows: seq<seq<int>>) returns (found: bool) {
  found := false;
  label search: for i := 0 to |rows| {
    for j := 0 to |rows[i]| {
      if rows[i][j] == 7 {
        found := true;
        break search;
      }
    }
  }
}
