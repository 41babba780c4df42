// refused: 3
method M(x: int) {
  x
   : M(x);
}
