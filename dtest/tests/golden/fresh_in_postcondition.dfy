class Node {
  var next: Node?

  constructor ()
    ensures next == null
  {
    next := null;
  }

  method Extend()
    modifies this
    ensures next != null && fresh(next)
  {
    next := new Node();
  }
}
