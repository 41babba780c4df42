datatype T = A(n: int) | ghost B(m: int, n: int) | C(k: int)
method Test(t: T) returns (r: bool) { r := t.A?; } // !
method Field(t: T) returns (r: int) requires t.A? || t.B? { r := t.n; } // !
method Equal(t: T, u: T) returns (r: bool) { r := t == u; } // !
method Different(t: T) returns (r: bool) { r := t != C(1); } // !
method Update(t: T) returns (r: T) requires t.A? || t.B? { r := t.(n := 3); } // !
method Guard(t: T) { var i := 0; while i < 3 && t.C? { i := i + 1; } } // !
function Body(t: T): bool { t.A? } // !
ghost function Ghost(t: T): bool { t.A? }
method Proof(t: T) { ghost var x := t.A?; assert t.A? || t == t; if t.A? { ghost var y := 1; } }
method Known(t: T) returns (r: bool) requires !t.B? { r := t.A? && t.n == 3; }
