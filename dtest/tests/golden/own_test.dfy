function Square(n: int): int {
  n * n
}

method {:test} SquareOfThree() {
  expect Square(3) == 9;
}
