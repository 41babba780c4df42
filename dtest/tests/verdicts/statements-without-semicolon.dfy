// refused: 4, 8, 10, 14
// An expression is a statement with its semicolon only; without it, the error is where it begins.
method M(x: int) returns (y: int) {
  N(x,
    3)

  y := 3;
  y

  M(x)
   .y

  match y
  case 0 => x
  case _ => y := 4;
}
