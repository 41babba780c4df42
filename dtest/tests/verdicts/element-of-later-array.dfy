// accepted
// What is indexed may get its type further down.
method Use(a: array<int>) requires a.Length > 1 modifies a {
  a[0] := 1;
}

method Swap(given: array<int>) requires given.Length > 1 modifies given {
  var a;
  a := given;
  a[0], a[1] := a[1], a[0];
  var b;
  b := given;
  Use(b);
}
