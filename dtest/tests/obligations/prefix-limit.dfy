codatatype S = S(head: int, tail: S)
lemma Limit(a: S, b: S, n: int) { assert a ==#[n] b || true; } // -
