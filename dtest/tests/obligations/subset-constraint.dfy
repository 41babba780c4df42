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
method UpdateSequence(s: seq<Even>) requires |s| > 0 { print s[0 := 1]; } // !
method UpdateMapValue(m: map<int, Even>) { print m[0 := 1]; } // !
method UpdateMapKey(m: map<Even, int>) { print m[1 := 0]; } // !
method UpdateMultiset(m: multiset<Even>) { print m[1 := 0]; } // !
method UpdateDatatype(b: Box) { print b.(e := 1); } // !
datatype Of<T> = Of(t: T)
method UpdateGeneric(o: Of<Even>) { var p := o.(t := 1); } // !
method Inferred(n: nat) { var i := n; i := i - 1; } // !
method InferredLater(n: nat) { var i; i := 0; i := n; i := -1; } // !
method InferredResult() { var i := Zero(); i := -1; } // !
method Zero() returns (n: nat) { return 0; }
method InferredFromInferred(n: nat) { var i := n; var j := i; j := -1; } // !
method InferredLoop(n: nat) { var i := n; while i >= 0 { i := i - 1; } } // !
method InferredElement(s: seq<Even>, i: nat) requires i < |s| { var e := s[i]; e := 1; } // !
method InferredGhost(e: Even) { ghost var f := e; f := 1; } // !
