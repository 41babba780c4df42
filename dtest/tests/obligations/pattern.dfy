datatype T = A(n: int) | B
method Local(t: T) returns (r: int) { var A(n) := t; r := n; } // !
function Let(t: T): int { var A(n) := t; n } // !
method Contract(t: T) ensures var A(n) := t; n == 3 // !
method Nested(p: (int, T)) ensures var (a, A(n)) := p; true // !
method Fits(p: (int, int)) ensures var (a, b) := p; a == b
