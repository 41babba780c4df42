// refused: 2
datatype T = First(
  a: int,
  b: int,
  a: int)
