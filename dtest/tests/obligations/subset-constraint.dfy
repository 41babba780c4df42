type Even = x: int | x % 2 == 0
method Local(n: int) returns (e: Even) { e := n; } // !
method Argument(n: int) { Take(n); } // !
method Take(e: Even) { }
method Element(n: int) returns (s: seq<Even>) { s := [n]; } // !
method OfArray(n: int, a: array<Even>) modifies a requires a.Length > 0 { a[0] := n; } // !
function Result(n: int): Even { n } // !
datatype Box = Box(e: Even)
method Field(n: int) returns (b: Box) { b := Box(n); } // !
method Negative(s: seq<nat>) returns (n: nat) { n := if |s| > 2 then s[0] - 1 else 0; } // !
method Bound() { ghost var t := forall x: int :: InBody(x) || true; } // !
predicate InBody(e: Even) { true }
