datatype Shape = Circle(x: int, r: int) | Square(x: int, a: int)
method M(s: Shape, p: (int, bool)) returns (t: Shape, q: (int, bool)) {
  t := s.(r := 1, a := 2);
}
