codatatype S = S(head: int, tail: S)
lemma Limit(a: S, b: S, n: int) { assert a ==#[n] b || true; } // !
lemma Different(a: S, b: S, n: int) { assert a !=#[n - 1] b || true; } // !
lemma Natural(a: S, b: S, n: nat) { assert a ==#[n] b || true; }
lemma Ordinal(a: S, b: S, n: ORDINAL) { assert a ==#[n] b || true; }
method Contract(a: S, b: S, n: int) ensures a ==#[n] b // !
