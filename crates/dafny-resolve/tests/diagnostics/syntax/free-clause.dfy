method Use(n: int)
  free requires n > 0
{}
