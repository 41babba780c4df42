// refused: 4, 5, 6
type Even = x: int | x % 2 == 0
method M(n: nat, e: Even, x: int) {
  var a := (-3) is nat;
  var b := x is Even;
  var c := n is Even;
  var d, f := e is int, n is int;
}
