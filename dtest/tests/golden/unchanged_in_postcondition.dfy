class Pair {
  var left: int
  var right: int

  method SetLeft(x: int)
    modifies this
    ensures left == x
    ensures unchanged(this`right)
  {
    left := x;
  }
}
