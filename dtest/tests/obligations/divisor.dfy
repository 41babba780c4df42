method Div(a: int, b: int) returns (r: int) { r := a / b; } // !
method Mod(a: bv4, b: bv4) returns (r: bv4) { r := a % b; } // !
method Real(a: real, b: real) returns (r: real) requires b != 0.0 { r := a / b; }
function Guarded(a: int, b: int): bool { b == 0 || a / b == 1 }
predicate InQuantifier(n: nat) { forall i: int | 0 <= i < n :: 10 / i >= 0 } // !
least predicate Least(n: int) { 10 / n == 3 || Least(n - 1) } // !
iterator Required(n: int) requires 10 / n > 0 // !
iterator Ended(n: int) ensures 10 / n > 0 // !
iterator Resumed(n: int) yield requires 10 / n > 0 // !
iterator Yielded(n: int) yields (y: int) yield ensures 10 / y > 0 { } // !
iterator Measured(n: int) decreases 10 / n { } // !
iterator Positive(n: int) yields (y: int) requires n > 0 yield ensures y > 0 && 10 / n == 10 / n yield ensures 10 / y >= 0 ensures 10 / n >= 0 { }
method Explains(n: int) { expect n > 3, if 10 / n == 1 then "one" else "other"; } // !
method ExplainsAll(n: int) { expect n != 0, "none"; expect n > 3, if 10 / n == 1 then "one" else "other"; }
class Shared { var data: int constructor () { data := 1; } }
iterator ReadsNothing(c: Shared) requires c.data > 0 yield requires 10 / c.data > 0 // !
iterator ChangedByBody(c: Shared) requires c.data > 0 modifies c yield ensures 10 / c.data > 0 // !
iterator KnownWhileYielding(n: int) yield ensures n > 0 ensures 10 / n > 0 // !
