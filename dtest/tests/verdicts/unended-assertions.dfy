// refused: 5, 11, 12
method M(x: int) returns (y: int)
  requires x > 0
{
  assert x > 0

  y := 3;
  if x > 1 {
    assert
      x
      > 1 }
  assert x > 0 {
  }
}
