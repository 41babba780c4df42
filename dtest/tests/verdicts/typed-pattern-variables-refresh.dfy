// refused: 16
// options: --type-system-refresh=true --general-newtypes=true --general-traits=datatype
datatype Cell<T> = Cell(T)
datatype YT = Y | Z(int)
method S() {
  var c: Cell<int> := *;
  match c
  case Cell(Y: int) =>
  match c
  case Cell(Z: int) =>
  var d: YT := *;
  match d
  case Y: YT =>
  match d
  case Z: YT =>
  var Cell(Z: int) := c;
}
