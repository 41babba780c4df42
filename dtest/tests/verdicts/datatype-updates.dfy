// refused: 4, 5, 6, 7, 8
datatype Shape = Circle(x: int, r: int) | Square(x: int, a: int)
method M(s: Shape, p: (int, bool)) returns (t: Shape, q: (int, bool)) {
  t := s.(r := 1, a := 2);
  t := s.(x := 1, x := 2);
  t := s.(y := 1);
  t := s.(x := true);
  t := 3.(x := 1);
  t := s.(x := 1, a := 2);
  q := p.(1 := true).(0 := 3);
}
