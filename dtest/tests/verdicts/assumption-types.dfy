// refused: 3, 4, 8
method Types() {
  ghost var {:assumption} number: int;
  var {:assumption} compiled: bool;
  ghost var {:assumption} right: bool;
}
iterator Numbers() yields (n: int) {
  ghost var {:assumption} here: bool;
}
