class Node {
  var next: Node?

  predicate Loops()
    reads this
  {
    next == this
  }
}
