//! Assignments, calls, choices and definite assignment.

use super::Row;

pub const ROWS: &[Row] = &[
    ("swap", "var a, b := 1, 2; a, b := b, a; print a, b;", "21"),
    (
        "rotate elements",
        "var a := new int[3](i => i); a[0], a[1], a[2] := a[1], a[2], a[0]; print a[..];",
        "[1, 2, 0]",
    ),
    (
        "indices are evaluated first",
        "var a := new int[3](i => i * 10); var i := 0; i, a[i] := 2, 7; print i, a[..];",
        "2[7, 10, 20]",
    ),
    (
        "objects are evaluated first",
        "class C { var n: int var next: C? }  method Main() { var c, d := new C, new C; c.n, d.n, c.next := 1, 2, d; var e := c; e, e.n := d, 9; print c.n, d.n, e.n; }",
        "922",
    ),
    (
        "a swap of fields",
        "class C { var x: int var y: int constructor () { x, y := 1, 2; } }  method Main() { var c := new C(); c.x, c.y := c.y, c.x; print c.x, c.y; }",
        "21",
    ),
    (
        "aliasing targets that agree",
        "var a := new int[2]; var b := a; var i, j := 0, 0; a[i], b[j] := 5, 5; print a[0];",
        "5",
    ),
    (
        "results of a call into a swap",
        "method Two(x: int) returns (a: int, b: int) { return x, x + 1; } method Main() { var a, b := 5, 6; b, a := Two(a); print a, b; }",
        "65",
    ),
    (
        "results of a call into elements",
        "method Two(x: int) returns (a: int, b: int) { a, b := x, x + 1; } method Main() { var s := new int[2]; var i := 0; s[i], i := Two(7); print s[0], i; }",
        "78",
    ),
    (
        "results into fields",
        "class C { var x: int } method One() returns (r: int) { return 4; } method Main() { var c := new C; c.x := One(); print c.x; }",
        "4",
    ),
    (
        "a discarded result",
        "method Two() returns (a: int, b: int) { print \"!\"; return 1, 2; } method Main() { var _, b := Two(); var a, _ := Two(); print a, b; }",
        "!!12",
    ),
    (
        "return of what a call gave",
        "method A() returns (x: int, y: int) { x, y := B(); return; } method B() returns (x: int, y: int) { return 3, 4; } method Main() { var x, y := A(); print x, y; }",
        "34",
    ),
    (
        "return in parallel",
        "method S(a: int, b: int) returns (x: int, y: int) { x, y := a, b; return y, x; } method Main() { var x, y := S(1, 2); print x, y; }",
        "21",
    ),
    (
        "return before the end",
        "method F(n: int) returns (r: int) { r := 1; if n > 0 { r := 2; return; } r := 3; } method Main() { var a, b := 0, 0; a := F(0); b := F(1); print a, b; }",
        "32",
    ),
    (
        "such that",
        "var x :| x in {3, 1, 2} && x > 1; var a, b :| a in {1, 2} && b in {1, 2} && a != b; print x, a, b;",
        "212",
    ),
    (
        "such that with an assumption",
        "var x: int :| assume {:axiom} 10 < x < 20; print x;",
        "11",
    ),
    (
        "such that into a result",
        "method M() returns (a: int, b: int) { a :| a in {8, 9}; b :| b in {7, 8} && b != a; } method Main() { var a, b := M(); print a, b; }",
        "87",
    ),
    (
        "such that keeps old values",
        "var x := 4; x :| x in {3, 4, 5} && x > 3; print x;",
        "4",
    ),
    (
        "such that over a sequence and a map",
        "var m := map[2 := \"b\", 1 := \"a\"]; var k :| k in m; var v :| v in [7, 6]; print k, v;",
        "17",
    ),
    (
        "havoc",
        "var x: int := *; x := 3; var y := 5; y := *; print x;",
        "3",
    ),
    (
        "havoc of several",
        "var x, y := *, 2; x := y; print x;",
        "2",
    ),
    (
        "assigned later",
        "var x: int; if 1 < 2 { x := 1; } else { x := 2; } print x;",
        "1",
    ),
    (
        "assigned in a loop before use",
        "var x: int; var i := 0; while i < 3 { x := i; i := i + 1; } if i == 3 { print x; }",
        "2",
    ),
    (
        "declarations with types",
        "var a: nat, b: seq<int>, c := 1, [2], 3; print a, b, c;",
        "1[2]3",
    ),
    (
        "shadowing in blocks",
        "var x := 1; { var x := 2; print x; x := 3; } print x;",
        "21",
    ),
    (
        "a sequence grows in place",
        "var s := []; for i := 0 to 5 { s := s + [i]; } var t := s; s := s[1 := 9]; print s, t;",
        "[0, 9, 2, 3, 4][0, 1, 2, 3, 4]",
    ),
    (
        "modify",
        "class C { var x: int } method Main() { var c := new C; c.x := 1; modify c; c.x := 2; print c.x; }",
        "2",
    ),
    (
        "modify with a body",
        "class C { var x: int } method Main() { var c := new C; c.x := 1; modify c { c.x := 5; } print c.x; }",
        "5",
    ),
    (
        "function by method",
        "function Fib(n: nat): nat { if n < 2 then n else Fib(n - 1) + Fib(n - 2) } by method { var a, b := 0, 1; for i := 0 to n { a, b := b, a + b; } return a; } method Main() { print Fib(90); }",
        "2880067194370816120",
    ),
    (
        "a parameter by name and by default",
        "method M(x: int, y: int := 2, nameonly z: int := x + y) { print x, y, z, \" \"; } method Main() { M(1); M(1, z := 5); M(y := 7, x := 3); }",
        "123 125 3710 ",
    ),
    (
        "a tuple taken apart",
        "var t := (1, (2, 3)); var (a, (b, c)) := t; print c, b, a;",
        "321",
    ),
    (
        "a constructor in two phases",
        "class C { const n: int var m: int constructor (k: int) { n := k; m := k + 1; new; this.m := this.m * 2; } } method Main() { var c := new C(3); print c.n, c.m; }",
        "38",
    ),
    (
        "a call through a chain",
        "class C { var n: int method Add(k: int) returns (r: C) modifies this ensures r == this { n := n + k; return this; } } method Main() { var c := new C; c.n := 0; var d := c.Add(2); d := d.Add(3); print c.n; }",
        "5",
    ),
    (
        "print of many",
        "print 1, ' ', 'x', \"\\n\", [1.5], {true}, map[1 := [2]], (1, 'c'), \"s\";",
        "1' ''x'\n[1.5]{true}map[1 := [2]](1, 'c')s",
    ),
];
