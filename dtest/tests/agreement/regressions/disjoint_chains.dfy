// Each operand of a chain of `!!` is disjoint from all before it.
method Apart(a: set<int>, b: set<int>, c: set<int>) returns (r: bool) { r := a !! b !! c; }

method Counted(a: multiset<int>, b: multiset<int>, c: multiset<int>, d: multiset<int>) returns (r: bool) {
  if a !! b !! c !! d { r := true; } else { r := false; }
}

method Main() {
  var all := {{1}, {2}, {1, 3}, {}};
  var xs := [{1}, {2}, {1, 3}, {}];
  for i := 0 to |xs| {
    for j := 0 to |xs| {
      for k := 0 to |xs| {
        var r := Apart(xs[i], xs[j], xs[k]);
        print r, " ";
      }
    }
  }
  print |all|, {1} !! {2} !! {1}, {1} !! {2} !! {3} !! {2}, {1} !! {2}, "\n";
  var first := Counted(multiset{1, 1}, multiset{2}, multiset{3}, multiset{1});
  var second := Counted(multiset{1, 1}, multiset{2}, multiset{3}, multiset{4});
  print first, second, multiset{1} !! multiset{2} !! multiset{1}, "\n";
}
