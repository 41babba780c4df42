include "old.dfy"
module Old {
  import opened A
  type T(==)
  type S = int
  const c: int := 1;
  datatype D = A | B
  function F(x: int): int
    requires x > 0;
    ensures F(x) > 0;
    decreases x;
  { x }
  function method G(x: int): int { x }
  predicate method P(x: int) { x > 0 }
  inductive predicate IP(x: int) { true }
  inductive lemma IL(x: int) ensures IP(x); {}
  copredicate CP(x: int) { true }
  colemma CL(x: int) { }
  class C {
    var x: int;
    var y: int, z: int;
    static function method S(): int
    method M(a: array<int>) returns (r: int)
      requires a.Length > 0;
      modifies a, this;
      ensures a[0] == 1;
    {
      forall (i | 0 <= i < a.Length) { a[i] := 1; }
      while (x > 0)
        invariant x >= 0;
        decreases x;
      { x := x - 1; }
      parallel();
    }
  }
}
