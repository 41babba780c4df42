class Node {
  var value: int
  var next: Node?
}

method Sum(n: Node) returns (r: int) {
  r := n.value;
  if n.next != null {
    r := r + n.next.value;
  }
}
