// refused: 6, 7, 8, 9, 10, 11, 12
// options: --type-system-refresh=true --general-newtypes=true --general-traits=datatype
// first: 12
// What literals and comparisons ask of types is confirmed in the order of the source, `<` and `>` at last.
method M(x: int, s: seq<int>, b: bool) {
  assert b > b;
  assert s == 3;
  assert s == x;
  assert b >= b;
  var i := b as int;
  assert 3 == s;
  var t: seq<int> := x;
}
