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

// The elements of collections and tuples have the subset types that Dafny infers.
type Pos = x: int | x > 0 witness 1
method OfSeq(s: seq<Pos>) { var t := s; t := [0]; } // !
method OfConcatenation(s: seq<Pos>) { var t := s + s; t := [0]; } // !
method OfDisplay(p: Pos) { var t := [p, 3]; t := [0]; } // !
method OfSet(s: set<nat>) { var t := s; t := {-1}; } // !
method OfDifference(s: set<Pos>, i: int) { var t := s; t := t - {i}; t := {0}; } // !
method OfMap(s: map<nat, Pos>) { var t := s; t := map[1 := 0]; } // !
method OfMultiset(s: multiset<nat>) { var t := s; t := multiset{-1}; } // !
method OfTuple(s: (nat, Pos)) { var t := s; t := (1, 0); } // !
method OfTupleDisplay(p: Pos, i: int) { var t := (p, i); t := (i, 1); } // !
method OfNested(s: seq<seq<Pos>>) requires |s| > 0 { var t := s[0]; t := [0]; } // !
method Several() returns (r: Pos, s: seq<Pos>) { r := 1; s := []; }
method OfResult() { var a, b := Several(); b := [0]; } // !
function Positives(): seq<Pos> { [] }
method OfFunction() { var a := Positives(); a := [0]; } // !
method OfEmpty(s: seq<Pos>) { var t := []; t := s + t; t := [0]; } // !
method OfElement(s: seq<Pos>, p: Pos) { var t := s; t := t + [p]; t := t + [0]; } // !
method OfRight(s: seq<Pos>, i: seq<int>) { var t := s; var y := i + t; t := [0]; } // !
method OfEquality(s: seq<Pos>, i: seq<int>) { var t := s; if t == i { } t := [0]; } // !
method OfMembership(s: seq<Pos>, i: int) { var t := s; if i in t { } t := [0]; } // !
method OfSecond(s: seq<Pos>) { var t := s; var u := s; t := u; u := [0]; } // !
method OfSlice(s: seq<Pos>) requires |s| > 0 { var t := s[1..]; t := [0]; } // !
method OfIndex(s: seq<Pos>) requires |s| > 0 { var t := {s[0], 3}; t := {0}; } // !
method OfApplication(f: int -> Pos) { var t := {f(3)}; t := {0}; } // !
method OfUpdate(s: seq<Pos>, i: Pos) requires |s| > 0 { var t := s[0 := i]; t := [0]; } // !
// So are the parts of contracts.
datatype Natural = Natural(n: nat)
method OfBinding(i: int) ensures var n: nat := i; n == 3 // !
method OfConstructor(i: int) ensures Natural(i).n == 3 // !
method OfParameter(f: nat -> int, i: int) ensures f(i) == 3 // !
type OfConstraint = i: int | Natural(i).n == 0 // !
// So do the values of `forall` statements.
class Counted { var n: nat var e: Even constructor () { n := 0; e := 0; } }
method OfForall(s: set<Counted>, i: int) modifies s { forall c | c in s { c.n := i; } } // !
method OfForallFine(s: set<Counted>, i: nat) modifies s { forall c | c in s { c.n := i; } }
method OfForallConstraint(s: set<Counted>, i: int) modifies s { forall c | c in s && c.n == i { c.e := i; } } // !
method OfForallValue(a: array<int>) modifies a { forall i | 0 <= i < a.Length { a[i] := 1 / i; } } // !
method OfForallIndex(a: array<int>) modifies a { forall i | 0 <= i < a.Length { a[i + 1] := 1; } } // !
