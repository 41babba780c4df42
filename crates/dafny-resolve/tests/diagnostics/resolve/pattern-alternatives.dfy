datatype Shape = Square(side: int) | Dot
function Size(s: Shape): int {
  match s
  case Square(1 | 2) => 1
  case _ => 2
}
