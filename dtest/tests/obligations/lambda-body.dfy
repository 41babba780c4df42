datatype T = A(n: int) | B
function Positive(n: int): int requires n > 0 { n }
method Index(s: seq<int>) { var f := (i: nat) => s[i]; } // !
method Divisor() { var f := (i: int) => 10 / i; } // !
class C { var x: int constructor () { x := 0; } }
method Reads(c: C) { var f: () -> int := () => c.x; } // !
method Null(c: C?) { var f := () reads c => c.x; } // !
method Destructor() { var f := (t: T) => t.n; } // !
method Application(g: int --> int) { var f := i => g(i); } // !
method Call() { var f := i => Positive(i); } // !
method Nested() { var f := (i: int) => ((j: int) => i / j); } // !
method Precondition() { var f := (i: int) requires 10 / i > 0 => i; } // !
method Elements(s: seq<int>) { var t := seq(|s|, i => s[i]); } // !
method Argument(s: seq<int>) returns (r: int) { r := Twice(i => 10 / i, 3); } // !
function Twice(f: int -> int, n: int): int { f(f(n)) }
method Requires(s: seq<int>) { var f := (i: nat) requires i < |s| => s[i]; }
