// refused: 3, 6
lemma L() { assert (iset x: set<ORDINAL> | true) == iset{}; }
lemma L2() { assert (var x: set<ORDINAL> :| true; x) == {}; }
lemma L3() { assert (imap x: set<ORDINAL> | true :: 3) == imap[]; }
lemma L4() { assert exists x: set<ORDINAL> :: true; }
lemma L5() { assert (var x: set<ORDINAL> := {}; x) == {}; }
lemma L6() { if x: set<ORDINAL> :| true { } }
lemma L8(x: (ORDINAL, int)) { match x case (a, b) => }
lemma L9(x: (set<ORDINAL>, int)) { match x case (a, b) => }
