datatype T = A(n: int) | ghost B(m: int)
method Test(t: T) returns (r: bool) { r := t.A?; } // -
