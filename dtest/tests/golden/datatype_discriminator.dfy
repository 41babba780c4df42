datatype Shape = Circle(radius: int) | Square(side: int)

predicate Round(s: Shape) {
  s.Circle?
}
