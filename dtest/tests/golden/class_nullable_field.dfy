class Node {
  var value: int
  var next: Node?

  method Second() returns (r: int)
    requires next != null
  {
    r := next.value;
  }
}
