type Id = nat
type Pos = n: int | n > 0 witness 1
datatype Box = Box(n: nat)
predicate N(x: nat) { true }
predicate D(x: Id) { true }
predicate P(x: Pos) { true }
predicate G<T>(x: T) { true }
predicate S(s: seq<nat>) { true }
lemma L(x: nat) { }
lemma Parameter() { assert forall x :: N(x) ==> N(x); }
lemma Synonym() { forall id ensures D(id) <==> D(id) { } }
lemma Positive() { forall x | P(x) ensures P(x) { } }
lemma Compared() { assert forall x :: x > -5 && N(x) ==> N(x); }
lemma Equated(y: int) { assert forall x :: x == y && N(x) ==> N(x); }
lemma Element(s: seq<int>) { assert forall x :: x in s && N(x) ==> N(x); }
lemma Constructed(b: Box) { assert forall x :: Box(x) == b ==> b == Box(x); }
lemma Sequence() { assert forall p :: S(p) ==> S(p); }
lemma Generic() { assert forall x :: G(x) && N(x) ==> G(x); }
lemma Displayed() { assert forall x, y :: S([x, y]) ==> S([x]); }
lemma Called() { forall x ensures true { L(x); } }
lemma Applied(f: nat -> bool) { assert forall x :: f(x) ==> f(x); }
lemma Chosen() { ghost var x :| N(x); }
