// refused: 2
{
  r :=
    set
      x <- s,
      y <- t |
      x < y;
}
