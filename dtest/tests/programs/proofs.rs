//! Statements that only prove something have no effect.

use super::Row;

pub const ROWS: &[Row] = &[
    (
        "assert by",
        "var x := 3; assert x * x == 9 by { assert x == 3; calc { x * x; == 9; } } print x;",
        "3",
    ),
    (
        "a labelled assertion",
        "var x := 3; assert a: x > 0; assert x > 0 by { reveal a; } print x;",
        "3",
    ),
    (
        "calc",
        "var x := 2; calc { x + x; == { assert x == 2; } 2 * x; == 4; } calc ==> { x == 2; x > 1; } print x;",
        "2",
    ),
    (
        "assume",
        "var x := 5; assume {:axiom} x == 5; print x;",
        "5",
    ),
    (
        "reveal and hide",
        "opaque function F(): int { 4 } method Main() { hide *; reveal F; reveal F(); assert F() == 4; print F(); }",
        "4",
    ),
    (
        "hide of one function",
        "function G(): int { 1 } method Main() { hide G; print G(); }",
        "1",
    ),
    (
        "an opaque block",
        "var x := 1; opaque ensures x == 2 { x := x + 1; } print x;",
        "2",
    ),
    (
        "lemmas are not called",
        "lemma L(n: nat) ensures n * n >= 0 { } ghost method G() { } method Main() { L(3); G(); print 1; }",
        "1",
    ),
    (
        "a lemma within a block by proof",
        "lemma L(n: nat) ensures n >= 0 { } method Need(n: int) requires n >= 0 { print n; } method Main() { var n := 4; Need(n) by { L(4); } var m :| m == 2 by { assert 2 == 2; } print m; }",
        "42",
    ),
    (
        "an assignment by proof",
        "function P(x: int): int requires x > 0 { x } method Main() { var y := P(3) by { assert 3 > 0; } y := P(y) by { } print y; }",
        "3",
    ),
    (
        "ghost variables and statements",
        "ghost var g := 1; var x := 2; g := x; if g == 2 { g := 3; } assert g == 3; print x;",
        "2",
    ),
    (
        "statement expressions",
        "function F(x: int): int { assert x == x; var y := x + 1; calc { y; } y } method Main() { print F(2); var z := (assert true; 5); print z; }",
        "35",
    ),
    (
        "old and labels",
        "class C { var x: int } method Main() { var c := new C; c.x := 1; label L: c.x := 2; assert old@L(c.x) == 1; print c.x; }",
        "2",
    ),
    (
        "ghost results",
        "method M() returns (a: int, ghost b: int) { a := 1; b := 2; } method Main() { var a, b := M(); assert b == b; print a; }",
        "1",
    ),
    (
        "ghost parameters",
        "method M(ghost n: int, k: int) { print k; } function F(ghost n: int, k: int): int { k } method Main() { M(1, 2); print F(3, 4); }",
        "24",
    ),
];
