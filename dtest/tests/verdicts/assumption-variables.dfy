// refused: 4, 6
method Types() {
  ghost var {:assumption} right: bool;
  ghost var {:assumption} early := true && true;
  right := right && 3 > 2;
  right := right && 2 > 1;
}
