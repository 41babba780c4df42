/** Objects that a test converts to those of Dafny's Rust, and back. */
module Objects {
  /** A counter with a constant. */
  class Counter {
    var value: int
    const step': nat
    const limit: int := 100

    constructor (step: nat)
      ensures value == 0 && step' == step
    {
      value := 0;
      step' := step;
    }

    constructor Starting_At(start: int)
      ensures value == start && step' == 1
    {
      value := start;
      step' := 1;
    }

    function Left(): int
      reads this
    {
      limit - value
    }

    method Up(times: nat) returns (full: bool)
      modifies this
      ensures value == old(value) + times * step'
      ensures full <==> value >= limit
    {
      value := value + times * step';
      full := value >= limit;
    }

    static method Two(first: nat) returns (a: Counter, b: Counter)
      ensures fresh(a) && fresh(b) && a != b
      ensures a.step' == first && b.step' == first + 1
    {
      a := new Counter(first);
      b := new Counter(first + 1);
    }
  }

  /** A list whose nodes may form a circle. */
  class Node<T> {
    var item: T
    var next: Node?<T>

    constructor (item: T)
      ensures this.item == item && next == null
    {
      this.item := item;
      next := null;
    }

    method Append(item: T) returns (node: Node<T>)
      modifies this
      ensures fresh(node) && next == node && node.item == item && node.next == old(next)
    {
      node := new Node(item);
      node.next := next;
      next := node;
    }

    method Close()
      modifies this
      ensures next == this
    {
      next := this;
    }

    static function IsLast(node: Node<T>): bool
      reads node
    {
      node.next == null
    }
  }

  method Same(a: Node<int>, b: Node<int>) returns (same: bool)
    modifies a
    ensures same <==> a == b
  {
    same := a == b;
    a.item := if same then 1 else 2;
  }

  method Swap(a: array<int>, i: nat, j: nat)
    requires i < a.Length && j < a.Length
    modifies a
    ensures a[i] == old(a[j]) && a[j] == old(a[i])
  {
    var t := a[i];
    a[i] := a[j];
    a[j] := t;
  }

  method Transpose(m: array2<char>) returns (t: array2<char>)
    ensures fresh(t) && t.Length0 == m.Length1 && t.Length1 == m.Length0
  {
    t := new char[m.Length1, m.Length0]((i, j) reads m =>
      if 0 <= j < m.Length0 && 0 <= i < m.Length1 then m[j, i] else ' ');
  }

  method Reset(counters: array<Counter>)
    modifies counters
    requires counters.Length > 0
    ensures counters[0] == old(counters[counters.Length - 1])
  {
    counters[0] := counters[counters.Length - 1];
  }

  /** Which counters are full. */
  method Full(counters: seq<Counter>) returns (full: set<Counter>)
    ensures forall c :: c in full <==> c in counters && c.value >= c.limit
  {
    full := {};
    var i := 0;
    while i < |counters|
      invariant 0 <= i <= |counters|
      invariant forall c :: c in full <==> c in counters[..i] && c.value >= c.limit
    {
      if counters[i].value >= counters[i].limit {
        full := full + {counters[i]};
      }
      i := i + 1;
    }
  }
}
