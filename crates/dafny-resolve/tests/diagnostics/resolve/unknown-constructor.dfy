datatype Shape = Circle(r: int) | Square(a: int) | Point
function Arity(s: Shape, n: int, p: (int, int)): int {
  match s
  case Triangle(c) => 2
}
