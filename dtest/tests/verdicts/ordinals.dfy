// refused: 2, 3, 4, 5
lemma Times(o: ORDINAL) ensures o * o == 0 { }
lemma Div(o: ORDINAL) ensures o / 2 == 0 { }
lemma Mod(o: ORDINAL) ensures o % 2 == 0 { }
lemma Neg(o: ORDINAL) ensures -o == 0 { }
lemma Fine(o: ORDINAL, k: nat) ensures o + 1 - 1 == o && o < o + 1 && (k as ORDINAL).Offset == k { }
