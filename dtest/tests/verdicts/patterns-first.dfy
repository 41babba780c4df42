// refused: 7, 8, 12, 13, 14, 18, 26, 31, 32, 33, 34
// The patterns of all cases come first: an error in one hides the bodies and the alternatives. An
// error in an alternative hides the body of its case.
datatype Shape = Circle(r: int) | Square(a: int) | Point
function F(s: Shape): int {
  match s
  case Circle(r) | Square(3) => undefined
  case Point => zz
}
method G(s: Shape) {
  match s
  case Circle(r) | Square(3) => undefined := 3;
  case Square(1 | 2) =>
  case Point => zz := 4;
}
method H(s: Shape) {
  match s
  case Circle(r, t) => undefined := 3;
  case Square(q) | Point =>
  case Point => zz := 4;
}
method I(s: Shape) {
  match s
  case Circle(r) => undefined := 3;
  case Square(q) | Point =>
  case Square(a, b) => other := 3;
}
const k := 3
function J(s: Shape): int {
  match s
  case Circle(x) => undefined
  case Square(1 | 2) => 2
  case Circle(r) | Square(3) => 4
  case Point => zz
}
