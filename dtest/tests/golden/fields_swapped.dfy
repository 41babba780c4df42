class Pair {
  var a: int
  var b: int

  method Swap()
    modifies this
    ensures a == old(b) && b == old(a)
  {
    a, b := b, a;
  }
}
