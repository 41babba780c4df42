lemma Underflow(a: ORDINAL, b: ORDINAL) requires b.IsNat { var c := a - b; } // !
lemma Fits(a: ORDINAL, b: ORDINAL) requires b.IsNat && b.Offset <= a.Offset { var c := a - b; }
method Contract(o: ORDINAL) ensures o - 1 == o // !
