//! Loops, and the statements that leave them.

use super::Row;

pub const ROWS: &[Row] = &[
    (
        "while",
        "var i := 0; while i < 3 { print i; i := i + 1; }",
        "012",
    ),
    (
        "while star",
        "var i := 0; while * decreases 3 - i { if i == 3 { break; } i := i + 1; } print i;",
        "0",
    ),
    (
        "while case",
        "var a, b := 6, 4; while decreases a + b { case a > b => a := a - b; case b > a => b := b - a; } print a;",
        "2",
    ),
    (
        "for",
        "for i := 2 to 5 { print i; } for i := 1 to 1 { print i; }",
        "234",
    ),
    (
        "for downto",
        "for i := 5 downto 2 { print i; } for i := 0 downto 0 { print i; }",
        "432",
    ),
    (
        "for to the end of time",
        "method Main() decreases * { for i := 7 to * { if i == 10 { break; } print i; } }",
        "789",
    ),
    (
        "for down to the end of time",
        "for i := 2 downto * decreases i + 3 { if i < -2 { break; } print i, \" \"; }",
        "1 0 -1 -2 ",
    ),
    (
        "for evaluates its bounds once",
        "var n := 3; for i := 0 to n { n := 10; print i; } print n;",
        "01210",
    ),
    (
        "for over nat",
        "var n: nat := 3; for i: nat := 0 to n { var j: nat := i; print j; }",
        "012",
    ),
    (
        "for over a native newtype",
        "newtype byte = x: int | 0 <= x < 256  method Main() { for b: byte := 253 to 255 { print b; } for b: byte := 3 downto 0 { print b; } }",
        "253254210",
    ),
    (
        "for over a native newtype to the end of time",
        "newtype byte = x: int | 0 <= x < 256  method Main() decreases * { for b: byte := 250 to * { if b == 254 { break; } print b, \" \"; } for b: byte := 3 downto * { print b; if b == 0 { break; } } }",
        "250 251 252 253 210",
    ),
    (
        "for over a newtype of int",
        "newtype large = x: int | true  method Main() { for i: large := -1 to 2 { print i, \" \"; } }",
        "-1 0 1 ",
    ),
    (
        "for over a real-free ordinal",
        "for i: int := 0 to 2 { for j: nat := i to 2 { print i, j, \" \"; } }",
        "00 01 11 ",
    ),
    (
        "for whose variable a closure keeps",
        "var fs: seq<() -> int> := []; for i := 0 to 3 { fs := fs + [() => i]; } print fs[0](), fs[2]();",
        "02",
    ),
    (
        "break",
        "for i := 0 to 9 { if i == 2 { break; } print i; }",
        "01",
    ),
    (
        "break break",
        "for i := 0 to 3 { for j := 0 to 3 { if i + j == 2 { break break; } print i, j, \" \"; } }",
        "00 01 ",
    ),
    (
        "break to a label",
        "label outer: for i := 0 to 3 { for j := 0 to 3 { if j == 1 { break outer; } print i, j, \" \"; } }",
        "00 ",
    ),
    (
        "break out of a block",
        "var x := 1; label l: { print 1; if x == 1 { break l; } print 2; } print 3;",
        "13",
    ),
    (
        "break out of an if",
        "var x := 1; label l: if x == 1 { print 1; if x < 5 { break l; } print 2; } else { print 4; } print 3;",
        "13",
    ),
    (
        "break out of a match",
        "label l: { match 3 { case 3 => { for i := 0 to 3 { if i == 1 { break l; } print i; } } case _ => print 9; } print 8; } print 5;",
        "05",
    ),
    (
        "continue",
        "for i := 0 to 5 { if i % 2 == 0 { continue; } print i; }",
        "13",
    ),
    (
        "continue of a while loop",
        "var i := 0; while i < 5 { i := i + 1; if i % 2 == 0 { continue; } print i; }",
        "135",
    ),
    (
        "continue of a while case",
        "var i := 0; while decreases 9 - i { case i < 5 => i := i + 1; if i % 2 == 0 { continue; } print i; }",
        "135",
    ),
    (
        "break continue",
        "for i := 0 to 3 { for j := 0 to 3 { if j == i { break continue; } print i, j, \" \"; } print \"never \"; }",
        "10 20 21 ",
    ),
    (
        "continue to a label",
        "label l: for i := 0 to 3 { for j := 0 to 3 { if j == 1 { continue l; } print i, j, \" \"; } }",
        "00 10 20 ",
    ),
    (
        "labels of several loops",
        "label a: while true { label b: for i := 0 to 5 { label c: { if i == 1 { break c; } if i == 2 { continue b; } if i == 4 { break a; } print i; } print \".\"; } }",
        "0..3.",
    ),
    (
        "two labels of one statement",
        "label a: label b: for i := 0 to 5 { if i == 1 { continue a; } if i == 3 { break b; } print i; }",
        "02",
    ),
    (
        "a loop within a lambda's method",
        "method Sum(n: nat) returns (s: int) { s := 0; for i := 1 to n + 1 { s := s + i; } } method Main() { var s := Sum(100); print s; }",
        "5050",
    ),
    (
        "nested loops reuse a name",
        "for i := 0 to 2 { for i := 5 to 7 { print i; } print i; }",
        "560561",
    ),
    (
        "a loop variable captured and assigned after",
        "var i := 10; for j := 0 to 3 { i := i - j; } print i;",
        "7",
    ),
    (
        "ghost loops are not there",
        "ghost var g := 0; var i := 0; while i < 2 { g := g + i; ghost var h := 0; while h < 3 { h := h + 1; } i := i + 1; } print i;",
        "2",
    ),
];
