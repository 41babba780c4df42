// refused: 5, 6, 7
// first: 6
module A { function f(x: nat): nat { x } }
method M(x: A._default, o: object) {
  var a := x as object;
  var b := new A._default;
  print x.g;
}
