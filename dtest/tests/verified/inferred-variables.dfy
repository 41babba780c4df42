// Variables that Dafny gives the base type, although a value of a subset type is assigned.
type Pos = x: int | x > 0 witness 1
method Written(p: Pos) { var x: int := p; x := 0; }
method FromInt(p: Pos, i: int) { var x := i; x := p; x := 0; }
method FromBoth(p: Pos, n: nat) { var x := p; x := n; x := 0; }
method FromArithmetic(p: Pos) { var x := p + 1; x := 0; }
method FromOther(p: Pos, i: int) { var x := p; x := x + i; x := 0; }
method Conditional(p: Pos, b: bool) { var x := if b then p else p; x := 0; }
method Matched(p: Pos) { var x := match p case 1 => p case _ => p; x := 0; }
method Converted(p: Pos) { var x := p as int; x := 0; }
method Compared(p: Pos, i: int) { var x := p; if x < i { } x := 0; }
method ComparedWithPos(p: Pos, q: Pos) { var x := p; if x <= q { } x := 0; }
method Operand(p: Pos, i: int) { var x := p; var y := x + i; x := 0; }
method Chained(n: nat) { var x := n; while x > 0 invariant 0 <= x <= n { x := x - 1; } x := -1; }
method Bounded(n: nat, s: seq<int>) { var x := n; if x < |s| { var y := s[x]; } x := -1; }
method Length(n: nat) { var x := n; var s := seq(x, i => i); x := -1; }
method Literal() { var x := 1; Take(x); x := 0; }
method Take(p: Pos) { }
method Chosen(s: set<Pos>) requires s != {} { var x :| x in s; x := 0; }
method Stays(n: nat) { var x := n; while x > 0 { x := x - 1; } }
method Updated(s: seq<Pos>, m: map<Pos, int>) requires |s| > 0 { var t := s[0 := 7]; var n := m[7 := 0]; }
type Letter = c: char | 'a' <= c <= 'z' witness 'a'
method Character(l: Letter) { var c := l; c := 'A'; }
method InOld(p: Pos, i: int) { var x := p; var y := old(x) + i; x := 0; }
method InLet(p: Pos, i: int) { var x := p; var y := (var z := 3; x) + i; x := 0; }
method InDisplay(p: Pos, s: seq<int>) { var x := p; var t := [x] + s; x := 0; }
