datatype T = A(n: int) | B
method Local(t: T) returns (r: int) { var A(n) := t; r := n; } // !
function Let(t: T): int { var A(n) := t; n } // !
