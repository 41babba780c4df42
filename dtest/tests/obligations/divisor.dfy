method Div(a: int, b: int) returns (r: int) { r := a / b; } // !
method Mod(a: bv4, b: bv4) returns (r: bv4) { r := a % b; } // !
method Real(a: real, b: real) returns (r: real) requires b != 0.0 { r := a / b; }
function Guarded(a: int, b: int): bool { b == 0 || a / b == 1 }
predicate InQuantifier(n: nat) { forall i: int | 0 <= i < n :: 10 / i >= 0 } // !
least predicate Least(n: int) { 10 / n == 3 || Least(n - 1) } // !
