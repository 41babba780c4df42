// refused: 9, 10, 15, 16, 24, 25
const Given: int
const Computed := 1 + 2
const Two := 2
const Text := "two"
datatype Shape = Circle(r: int) | Square(a: int) | Point
function Constants(n: int): int {
  match n
  case Given => 1
  case Computed => 2
  case -1 | k => 3
}
function Alternatives(s: Shape): int {
  match s
  case Circle(r) | Square(3) => 1
  case Square(1 | 2) => 2
  case Circle(_) | Square(_) | Point => 3
}
function Arity(s: Shape, n: int, p: (int, int)): int {
  match s
  case Circle(1) => match n { case Two => 2 case 1 | 4 => 3 case other => other }
  case Point() => 1
  case Square(_) => match p case (a, b) => a + b
  case Square(a, b) => 1
  case Triangle(c) => 2
  case _ => 3
}
function Words(s: string): int { match s case Text => 1 case "one" => 2 case _ => 3 }
