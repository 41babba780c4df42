// A stack over an array, with ghost state.

class Stack {
  ghost var items: seq<int>
  ghost var Repr: set<object>
  var cells: array<int>
  var size: nat

  ghost predicate Valid()
    reads this, Repr
  {
    this in Repr && cells in Repr && size <= cells.Length && items == cells[..size]
  }

  constructor (capacity: nat)
    ensures Valid() && fresh(Repr)
    ensures items == []
    ensures cells.Length == capacity
  {
    cells := new int[capacity];
    size := 0;
    items := [];
    new;
    Repr := {this, cells};
  }

  method Push(x: int)
    requires Valid()
    requires size < cells.Length
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures items == old(items) + [x]
    ensures cells == old(cells)
  {
    cells[size] := x;
    size := size + 1;
    items := items + [x];
  }

  method Pop() returns (x: int)
    requires Valid()
    requires |items| > 0
    modifies this
    ensures Valid() && Repr == old(Repr) && cells == old(cells)
    ensures x == old(items)[|old(items)| - 1]
    ensures items == old(items)[..|old(items)| - 1]
  {
    x := cells[size - 1];
    size := size - 1;
    items := items[..|items| - 1];
  }

  method Top() returns (x: int)
    requires Valid()
    requires |items| > 0
    ensures x == items[|items| - 1]
  {
    x := cells[size - 1];
  }
}

class Counter {
  var count: nat
  var limit: nat

  predicate Valid()
    reads this
  {
    count <= limit
  }

  method Increment() returns (wrapped: bool)
    requires Valid()
    modifies this
    ensures Valid()
    ensures limit == old(limit)
    ensures wrapped <==> old(count) == limit
    ensures count == if wrapped then 0 else old(count) + 1
  {
    wrapped := count == limit;
    count := if wrapped then 0 else count + 1;
  }
}
