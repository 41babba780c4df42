// refused: 6, 10, 14, 18
// options: --type-system-refresh=true --general-newtypes=true --general-traits=datatype
datatype YT = Y | Z(int)
method S(d: YT, e: int) {
  match d
  case q: YT => var q := 3;
}
method S1(d: YT, e: int) {
  match d
  case q => var q := 3;
}
method S2(d: YT, e: int) {
  match d
  case q: YT => var Z(q: int) := d;
}
method S3(d: YT, e: int) {
  match d
  case q => var Z(q) := d;
}
