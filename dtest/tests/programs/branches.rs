//! `if`, `match` and their guards.

use super::Row;

pub const ROWS: &[Row] = &[
    (
        "if",
        "var x := 3; if x < 2 { print 1; } else if x == 3 { print 2; } else { print 3; }",
        "2",
    ),
    (
        "if with a binding guard",
        "if x :| x in {4, 2} { print x; } else { print \"none\"; } if y: int :| y in {} { print y; } else { print \"none\"; }",
        "2none",
    ),
    (
        "if with several bindings",
        "if x, y :| x in {1, 2} && y in {1, 2} && x > y { print x, y; }",
        "21",
    ),
    ("if star", "if * { print 1; } else { print 2; }", "1"),
    (
        "if case",
        "var x := 3; if { case x > 5 => print 1; case x > 2 => print 2; case x > 1 => print 3; }",
        "2",
    ),
    (
        "if case with a binding guard",
        "if { case x :| x in [9, 7] && x < 8 => print x; case true => print 0; }",
        "7",
    ),
    (
        "if case with braces",
        "var x := -1; if case x > 0 => { print 1; } case x <= 0 => { print 2; print 3; }",
        "23",
    ),
    (
        "match with literals",
        "for i := 0 to 3 { match i case 0 => print \"zero\"; case 1 => print \"one\"; case n => print n; }",
        "zeroone2",
    ),
    (
        "match with a negative literal",
        "match -4 case 4 => print 1; case -4 => print 2; case _ => print 3;",
        "2",
    ),
    (
        "match of characters and strings",
        "match 'b' { case 'a' => print 1; case 'b' => print 2; case _ => print 3; } match \"xy\" case \"x\" => print 1; case \"xy\" => print 2; case _ => print 3;",
        "22",
    ),
    (
        "match of reals and booleans",
        "match 1.50 { case 1.5 => print 1; case _ => print 2; } match false case true => print 1; case false => print 2;",
        "12",
    ),
    (
        "match with alternatives",
        "for i := 0 to 5 { match i case 0 | 2 | 4 => print \"e\"; case _ => print \"o\"; }",
        "eoeoe",
    ),
    (
        "nested alternatives",
        "datatype T = A | B(n: int) | C(x: T, y: T)  method Main() { for i := 0 to 4 { var t := if i == 0 then A else if i == 1 then C(B(1), A) else if i == 2 then C(A, B(7)) else C(C(A, A), A); match t { case A | B(_) => print 1; case C(B(1), _) | C(B(2), _) => print 2; case C(A, B(n)) => print n; case C(_, _) => print 3; } } }",
        "1273",
    ),
    (
        "nested patterns with tuples",
        "match (1, (true, \"s\")) case (0, _) => print 0; case (n, (true, s)) => print n, s; case _ => print 9;",
        "1s",
    ),
    (
        "constants in patterns",
        "const K := 3  method Main() { match 3 { case K => print \"k\"; case _ => print \"other\"; } }",
        "k",
    ),
    (
        "a match without braces within one with",
        "match 1 { case 1 => match 2 { case 2 => print 2; case _ => } print 3; case _ => print 4; }",
        "23",
    ),
    (
        "a match that assigns what it looks at",
        "datatype L = N | C(h: int, t: L)  method Main() { var l := C(1, C(2, N)); while l.C? { match l case C(h, t) => print h; l := t; } print l; }",
        "12L.N",
    ),
    (
        "an empty case",
        "match 5 { case 5 => case _ => print 1; } print 2;",
        "2",
    ),
    (
        "match over codes of bitvectors",
        "var b: bv4 := 9; match b case 8 => print 1; case 9 => print 2; case _ => print 3;",
        "2",
    ),
    (
        "a match expression with alternatives",
        "print match 4 case 1 | 4 => \"a\" case _ => \"b\";",
        "a",
    ),
    (
        "a variable declared by a pattern",
        "datatype P = P(a: int, b: (int, bool))  method Main() { var P(x, (y, z)) := P(1, (2, true)); var (u, _) := (x + y, z); print x, y, z, u; }",
        "12true3",
    ),
    (
        "ghost cases are left out",
        "ghost var g := 3; var x := 1; if g == 3 { assert x == 1; } match x case 1 => ghost var h := g; print 1; case _ => print 2;",
        "1",
    ),
];
