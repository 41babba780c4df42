datatype T = A(n: int) | B(m: int) | C
method Destructor(t: T) returns (r: int) { r := t.n; } // !
method Update(t: T) returns (r: T) { r := t.(n := 3); } // !
method Known(t: T) returns (r: int) requires t.A? { r := t.n; }
