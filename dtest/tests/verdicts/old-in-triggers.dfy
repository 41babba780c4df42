// refused: 7, 8
class C { var x: int }
predicate P(x: int) {true}
twostate lemma L(c: C) ensures forall y {:trigger old(P(y))} :: P(y)
method M(c: C) ensures forall y {:trigger old(P(y))} :: P(y) {}
lemma L2(c: C) { assert forall y {:trigger old(P(y))} :: P(y); assert forall y {:trigger fresh(c), P(y)} :: P(y); assert forall y {:trigger allocated(c), P(y)} :: P(y);  assert forall y {:trigger unchanged(c), P(y)} :: P(y); }
lemma L3(c: C) requires forall y {:trigger old(P(y))} :: P(y) {}
method M3(c: C) requires forall y {:trigger old(P(y))} :: P(y) {}
