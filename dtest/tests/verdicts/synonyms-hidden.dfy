// refused: 35, 36, 37, 41, 43, 48, 52, 58, 61, 66, 76
module Hidden {
  export
    provides Count, Node, Make, Add, Known, Pick
    reveals Pairs
  export All extends Hidden reveals Count, Node
  type Count = nat
  type Node(==) = object
  type Known(==)<A> = set<nat>
  type Pairs = seq<(Count, Count)>
  function Make(): Count { 3 }
  function Add(c: Count, n: nat): Count { c + n }
  function Pick(p: Pairs): Count { if p == [] then 0 else p[0].0 }
}

// What is seen by name only goes from where it comes to where it is asked for.
module Fine {
  import H = Hidden
  const made := H.Make()
  datatype Box<A> = Box(a: A)
  class Cell { var c: H.Count constructor() { c := H.Add(H.Make(), 4); } }
  method Go(b: Box<H.Count>) returns (c: H.Count) {
    var d := H.Add(b.a, 2);
    c := H.Pick([(d, made), (b.a, b.a)]);
    var e: H.Count := if |[c, d]| == 2 then made else b.a;
    c := Box(e).a;
  }
  function Same(k: H.Known<int>, l: H.Known<int>): bool { k == l }
}

module Wrong {
  import H = Hidden
  method Numbers() {
    var c := H.Make();
    var n: nat := c;
    var m := c + 1;
    c := 4;
    assert c == c;
  }
  function Known(k: H.Known<int>): int
    requires |k| == 3 { 4 }
  function Reads(n: H.Node): int
    reads n { 3 }
}

module WrongPairs {
  import H = Hidden
  function First(p: H.Pairs): int { p[0].0 }
}
module Nullable {
  import H = Hidden
  method M(n: H.Node?) {}
}

module Equal {
  import H = Hidden
  type K(==) = H.Known<int -> int>
  type C(==) = H.Count
  method Compare(p: H.Count) returns (b: bool)
  {
    b := p == p;
  }
}
module Allocated {
  import H = Hidden
  ghost predicate P() { exists c: H.Count :: c == c }
}

// Who sees more sees through what others declare, too.
module Knows {
  import H = Hidden`All
  import F = Fine
  const sum: nat := F.made + H.Make() + H.Add(1, 2)
  method Go(b: F.Box<nat>) returns (n: nat) { n := F.Go(b); assert n + 1 > 0; }
  function Reads(n: H.Node): int reads n { 3 }
  const bad: bool := F.made
}
