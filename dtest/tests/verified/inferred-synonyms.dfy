// options: --type-system-refresh
type Id = nat
predicate D(x: Id) { true }
predicate I(x: int) { true }
lemma Parameter() { assert forall x :: D(x) ==> D(x); }
lemma Range() { forall x | D(x) ensures D(x) { } }
lemma Both() { assert forall x :: D(x) && I(x) ==> D(x); }
