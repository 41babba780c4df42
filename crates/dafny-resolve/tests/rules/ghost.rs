//! Rules that keep ghost code from influencing compiled code.

use crate::{error_lines, rules};

#[test]
fn compiled_variables_do_not_depend_on_ghost_ones() {
    rules(&[
        (
            "method M(ghost g: int) { @ }",
            "ghost var x := g;",
            "var x: int; x := g;",
        ),
        (
            "method M(ghost g: int) returns (r: int) { @ }",
            "r := 1;",
            "r := g;",
        ),
        ("method M(ghost g: int) { @ }", "assert g == g;", "print g;"),
        (
            "method M(ghost g: int) { @ }",
            "assert g == g;",
            "expect g == g;",
        ),
        (
            "class C { ghost var g: int var v: int } method M(c: C) modifies c { @ }",
            "c.g := c.v;",
            "c.v := c.g;",
        ),
        (
            "method M(ghost g: int, a: array<int>) modifies a { @ }",
            "a[0] := 1;",
            "a[0] := g;",
        ),
    ]);
}

#[test]
fn ghost_callables_are_called_in_ghost_code() {
    rules(&[
        (
            "ghost function F(): int { 1 } method M() { @ }",
            "ghost var x := F();",
            "print F();",
        ),
        (
            "ghost function F(): int { 1 } function G(): int { @ }",
            "assert F() == 1; 1",
            "F()",
        ),
        (
            "ghost predicate P() { true } method M() { @ }",
            "assert P();",
            "if P() { print 1; }",
        ),
        (
            "lemma L() returns (r: int) { r := 1; } method M() { @ }",
            "ghost var x := L();",
            "var x: int; x := L(); print x;",
        ),
        (
            "method N() { } ghost method G() { @ }",
            "assert true;",
            "N();",
        ),
        ("method N() { } lemma L() { @ }", "assert true;", "N();"),
    ]);
}

#[test]
fn ghost_branches_change_ghost_state_only() {
    rules(&[
        (
            "method M(ghost g: int) { ghost var h := 0; var x := 0; if g > 0 { @ } }",
            "h := 1;",
            "x := 1;",
        ),
        (
            "method M(ghost g: int) { ghost var h := 0; if g > 0 { @ } }",
            "h := 1;",
            "print 1;",
        ),
        (
            "method M(ghost g: int) { ghost var h := 0; if g > 0 { @ } }",
            "h := 1;",
            "return;",
        ),
        (
            "method M(ghost g: int) { while true { if g > 0 { @ } break; } }",
            "assert true;",
            "break;",
        ),
        (
            "class C { var v: int ghost var h: int } method M(ghost g: int, c: C) modifies c { if g > 0 { @ } }",
            "c.h := 1;",
            "c.v := 1;",
        ),
    ]);
}

#[test]
fn ghost_parameters_take_any_argument() {
    rules(&[
        (
            "method N(ghost a: int, b: int) { } method M(ghost g: int, c: int) { N(@); }",
            "g, c",
            "c, g",
        ),
        (
            "function N(ghost a: int, b: int): int { b } method M(ghost g: int, c: int) {\nvar x := N(#); print x; }",
            "g, c",
            "c, g",
        ),
        (
            "datatype D = A(ghost a: int, b: int) method M(ghost g: int, c: int) {\nvar x := A(#); print x; }",
            "g, c",
            "c, g",
        ),
        (
            "method N() returns (ghost a: int, b: int) { b := 1; } method M() { var x: int, y: int; ghost var h: int;\n# := N(); print x, y; }",
            "h, x",
            "x, y",
        ),
    ]);
}

#[test]
fn ghost_constructors_and_fields_are_not_tested_in_compiled_code() {
    rules(&[
        (
            "datatype D = A(x: int, ghost g: int) method M(d: D) { @ }",
            "ghost var y := d.g;",
            "print d.g;",
        ),
        (
            "datatype D = A(x: int, ghost g: int) method M(d: D) { @ }",
            "print d.x;",
            "var e: int; e := d.g; print e;",
        ),
        (
            "datatype D = A | ghost B method M(d: D) { @ }",
            "ghost var y := d.B?;",
            "print d.B?;",
        ),
    ]);
}

#[test]
fn compiled_functions_have_compiled_bodies() {
    rules(&[
        (
            "class C {} function F(c: C): bool { @ }",
            "true",
            "allocated(c)",
        ),
        (
            "function F(s: iset<int>): bool { @ }",
            "true",
            "s == s && (forall x: int :: x in s)",
        ),
        (
            "function F(x: int): bool { @ }",
            "x > 0",
            "exists y: int :: y * y == x",
        ),
        (
            "method M(x: ORDINAL) { @ }",
            "assert x == x;",
            "var y: int := x;",
        ),
    ]);
}

#[test]
fn proofs_in_specifications_have_no_effects() {
    let places = [
        "method M() requires (assert true by { @ } true) { }",
        "method M() ensures (assert true by { @ } true) { }",
        "function F(): int ensures (assert true by { @ } true) { 0 }",
        "method M() decreases (assert true by { @ } 1) { }",
        "method M(x: int := (assert true by { @ } 1)) { }",
        "datatype D = D(x: int := (assert true by { @ } 1))",
        "type S = x: int | (assert true by { @ } true)",
        "newtype N = x: int | (assert true by { @ } true)",
        "type S = x: int | true witness (assert true by { @ } 1)",
        "iterator I() yield ensures (assert true by { @ } true) { }",
    ];
    let statements = [
        ("assert true;", "print 1;"),
        ("var y := 1; y := 2;", "expect true;"),
        ("L();", "R();"),
        ("var y := 1;", "var y := new int[3];"),
        (
            "var y := 0; y := 1;",
            "var y := 0; calc { 1; { y := 1; } 1; }",
        ),
    ];
    for place in places {
        let place = format!("{place} lemma L() {{ }} method R() {{ }}");
        for (good, bad) in statements {
            rules(&[(&place, good, bad)]);
        }
    }
}

#[test]
fn extreme_lemmas_have_no_out_parameters() {
    for kind in ["least", "greatest"] {
        let place = format!("{kind} predicate P(x: int) {{ P(x) }} {kind} lemma L(x: int) @ {{ }}");
        rules(&[
            (&place, "", "returns (r: int)"),
            (&place, "requires P(x)", "returns (r: int, s: nat)"),
            (&place, "ensures P(x)", "returns (r: int) ensures r == 0"),
        ]);
    }
    // The precondition comes first, and the body does not know the parameter.
    let lines = error_lines(
        "least predicate P(x: int) { P(x) }\nleast lemma L(x: int) returns (\nr: int)\n\
         requires y\nensures P(x)\n{\nr := 1;\n}",
    );
    assert_eq!(lines, [4, 3, 7]);
}
