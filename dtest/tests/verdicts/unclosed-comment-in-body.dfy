// refused: 6
method M() returns (x: int) {
  x := 1;
  /* all that
  follows }
