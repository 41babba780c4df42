class C { var f: int }
lemma Before(c: C) requires old(c.f) == 3 { }
