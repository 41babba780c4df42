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

  /** The counters that are full. */
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

  /** The smaller of two numbers, by an order that a test gives. */
  function Smaller(less: (int, int) -> bool, a: int, b: int): int
    ensures Smaller(less, a, b) == a || Smaller(less, a, b) == b
  {
    if less(a, b) then a else b
  }

  function Composed<A, B, C>(f: A -> B, g: B -> C): A -> C {
    a => g(f(a))
  }

  method Applied(f: int --> int, x: int) returns (y: int)
    requires f.requires(x)
    ensures y == f(x)
  {
    y := f(x);
  }

  /** Prints a row of stars, for people. */
  method Stars(n: nat) {
    var i := 0;
    while i < n {
      print "*";
      i := i + 1;
    }
    print ' ', [n, n + 1], n > 2, "\n";
  }

  /** A door with a lock. */
  trait Lock {
    function Accepts(code: nat): bool

    method Turn(code: nat, twice: bool) returns (open: bool, turns: nat)
      modifies this

    predicate Refuses(code: nat) {
      !Accepts(code)
    }
  }

  class Safe extends Lock {
    const secret: nat
    var tried: nat

    constructor (secret: nat)
      ensures this.secret == secret && tried == 0
    {
      this.secret := secret;
      tried := 0;
    }

    function Accepts(code: nat): bool {
      code == secret
    }

    method Turn(code: nat, twice: bool) returns (open: bool, turns: nat)
      modifies this
      ensures tried == old(tried) + 1
    {
      tried := tried + 1;
      open := code == secret;
      turns := if twice then 2 else 1;
    }
  }

  method Try(lock: Lock, code: nat) returns (open: bool, all: nat)
    modifies lock
  {
    open := false;
    all := 0;
    if lock.Accepts(code) {
      open, all := lock.Turn(code, true);
    }
  }

  method Choose(a: Lock, b: Lock, first: bool) returns (lock: Lock)
    ensures lock == if first then a else b
  {
    lock := if first then a else b;
  }

  method IsSafe(o: object) returns (safe: bool)
    ensures safe <==> o is Safe
  {
    safe := o is Safe;
  }
}

module Outer {
  module Inner {
    newtype small = x: int | 0 <= x < 100
    datatype Option<T> = None | Some(value: T)

    method {:extern "renamed"} Twice(x: small) returns (y: int)
      ensures y == 2 * x as int
    {
      y := 2 * x as int;
    }

    function Get<T>(o: Option<T>, default: T): T {
      if o.Some? then o.value else default
    }

    function Sum(xs: seq<small>, f: small -> nat): nat {
      if xs == [] then 0 else f(xs[0]) + Sum(xs[1..], f)
    }
  }
}

module {:extern "by.another.name"} Other {
  import opened Outer.Inner

  function Nothing<T>(): Option<T> {
    None
  }
}
