// refused: 3, 4, 5, 6
method M(b: bv8, o: nat, r: real) {
  var a := new int[b];
  var c := new bool[3, b];
  var d := new int[r];
  var s := seq(b, i => i);
  var e, k := new int[o], a[b];
  var t := [1, 2, 3][b..];
}
