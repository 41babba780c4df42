method Main() {
  var n := 2;
  var m := map k | k in {10, 31, n} :: (seq(2, i => k + n + i), n);
  print m, "\n";
  var f := (i: int) => (seq(1, j => n + j), {n, 3} == {42}, n + i);
  print f(1), f(2), n, "\n";
  var a := new bool[2](i => (var g := (j: int) => n + j; g(i) == n && !({n, 9} == {g(1)})));
  print a[0], a[1], n, "\n";
}
