// refused: 5, 10
datatype Way = Left | Right(n: int)
method Statement() {
  var c;
  match c { case Left => case Right(n) => }
  c := Right(3);
}
method Expression() {
  var c;
  var d := match c case Left => 2 case Right(n) => n;
}
method Known(w: Way) {
  var c;
  c := w;
  match c { case Left => case Right(n) => print n; }
  var s := [];
  match |s| { case 0 => case n => s := [3]; }
  match 3 { case 3 => case n => }
}
