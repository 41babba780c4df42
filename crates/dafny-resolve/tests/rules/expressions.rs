//! Rules of expressions.

use crate::rules;

#[test]
fn names_are_declared() {
    rules(&[
        ("method M(x: int) { var y := @; }", "x", "z"),
        (
            "function F(): int { 1 } method M() { var y := @; }",
            "F()",
            "G()",
        ),
        (
            "class C { var f: int } method M(c: C) { var y := @; }",
            "c.f",
            "c.g",
        ),
        (
            "datatype D = A(x: int) method M(d: D) { var y := @; }",
            "d.x",
            "d.y",
        ),
        ("method M() { var y := (@, 2).1; }", "1", "z"),
        ("method M(p: (int, int)) { var y := @; }", "p.1", "p.2"),
    ]);
}

#[test]
fn calls_have_their_arguments() {
    rules(&[
        (
            "function F(x: int, b: bool): int { x } const c := @",
            "F(1, true)",
            "F(1)",
        ),
        (
            "function F(x: int, b: bool): int { x } const c := @",
            "F(1, true)",
            "F(1, true, 2)",
        ),
        (
            "function F(x: int, b: bool): int { x } const c := @",
            "F(1, true)",
            "F(true, 1)",
        ),
        (
            "function F(x: int, b: bool := true): int { x } const c := @",
            "F(1)",
            "F()",
        ),
        (
            "function F(x: int, b: bool): int { x } const c := @",
            "F(b := true, x := 1)",
            "F(y := 1, b := true)",
        ),
        (
            "function F(x: int, b: bool): int { x } const c := @",
            "F(1, b := true)",
            "F(1, x := 2)",
        ),
        (
            "function F<T>(x: T): T { x }\nconst c: int := #",
            "F<int>(1)",
            "F<bool>(1)",
        ),
        (
            "function F<T>(x: T): T { x } const c: int := @",
            "F(1)",
            "F<int, int>(1)",
        ),
    ]);
}

#[test]
fn a_method_is_not_called_within_an_expression() {
    rules(&[
        (
            "function F(): int { 1 } method N() returns (r: int) { r := 1; } method M() { var x := 1 + @; }",
            "F()",
            "N()",
        ),
        (
            "function F(): int { 1 } lemma L() {} const c: int := @",
            "F()",
            "L()",
        ),
    ]);
}

#[test]
fn conditions_are_booleans() {
    rules(&[
        (
            "method M(x: int) { var y := if @ then 1 else 2; }",
            "x > 0",
            "x",
        ),
        ("method M(x: int) { assert @; }", "x > 0", "x"),
        ("method M(x: int) { if @ { } }", "x > 0", "x"),
        ("method M(x: int) { while @ { } }", "x > 0", "x"),
        ("method M(x: int) requires @ { }", "x > 0", "x"),
        ("method M(x: int) ensures @ { }", "x > 0", "x"),
        (
            "method M(x: int) { ghost var b := forall y: int :: @; }",
            "y > x",
            "y + x",
        ),
        ("method M(b: bool) { var y := !@; }", "b", "1"),
        ("method M(b: bool) {\nvar y := b && #; }", "true", "1"),
    ]);
}

#[test]
fn branches_have_a_common_type() {
    rules(&[
        (
            "method M(b: bool) {\nvar y := if b then 1 else #; }",
            "2",
            "true",
        ),
        (
            "datatype D = A | B method M(d: D) {\nvar y := match d case A => 1 case B => #; }",
            "2",
            "true",
        ),
        ("method M() {\nvar y := [1, #]; }", "2", "true"),
        ("method M() {\nvar y := {1, #}; }", "2", "true"),
        (
            "method M() {\nvar y := map[1 := 2, #]; }",
            "3 := 4",
            "3 := true",
        ),
    ]);
}

#[test]
fn collections_are_indexed_by_their_keys() {
    rules(&[
        (
            "method M(s: seq<int>, b: bool) { var y := s[@]; }",
            "0",
            "b",
        ),
        (
            "method M(m: map<bool, int>, b: bool) { var y := m[@]; }",
            "b",
            "0",
        ),
        ("method M(a: array2<int>) {\nvar y := a[#]; }", "0, 1", "0"),
        (
            "method M(x: int, s: seq<int>) { var y := @; }",
            "s[0]",
            "x[0]",
        ),
        ("method M(s: seq<int>) { var y := s[0 := @]; }", "1", "true"),
        (
            "method M(x: int, s: set<int>) { var y := @; }",
            "|s|",
            "|x|",
        ),
        (
            "method M(x: int, s: set<int>) {\nvar y := x in #; }",
            "s",
            "x",
        ),
        (
            "method M(b: bool, s: set<int>) { var y := @; }",
            "1 in s",
            "b in s",
        ),
    ]);
}

#[test]
fn chains_of_comparisons_go_one_way() {
    rules(&[
        (
            "method M(a: int, b: int, c: int) { var y := @; }",
            "a < b <= c",
            "a < b > c",
        ),
        (
            "method M(a: int, b: int, c: int) { var y := @; }",
            "a == b == c",
            "a != b != c",
        ),
        (
            "method M(a: set<int>, b: set<int>) { var y := @; }",
            "a !! b",
            "a !! 3",
        ),
    ]);
}

#[test]
fn quantified_variables_have_types() {
    rules(&[
        (
            "method M(s: set<int>) { ghost var b := forall x # :: true; }",
            "| x in s",
            "| x == x",
        ),
        (
            "method M(s: set<int>) { ghost var b := @; }",
            "exists x: int :: x in s",
            "exists x: int, x: int :: x in s",
        ),
        (
            "method M(s: set<int>) { var b := @; }",
            "set x | x in s",
            "set x: int | x > 0",
        ),
        (
            "method M(s: set<int>) { var b := @; }",
            "map x | x in s :: x",
            "map x: int | x > 0 :: x",
        ),
    ]);
}

#[test]
fn compiled_quantifiers_have_bounds() {
    rules(&[
        (
            "method M() { print @; }",
            "forall x :: 0 <= x < 5 ==> x > 0",
            "forall x: int :: x > 0",
        ),
        (
            "method M() { print @; }",
            "exists x :: 0 <= x < 5 && x > 0",
            "exists x: real :: x > 0.0",
        ),
        ("method M() { print @; }", "1", "set x: int | x > 0"),
    ]);
}

#[test]
fn lambdas_have_parameters_and_frames() {
    rules(&[
        (
            "method M() { var f := (x: int) => @; var y: int := f(1); }",
            "x + 1",
            "y + 1",
        ),
        ("method M(f: int -> int) { var y := @; }", "f(1)", "f(1, 2)"),
        ("method M(f: int -> int) { var y := @; }", "f(1)", "f(true)"),
        (
            "method M(f: int -> int, x: int) { var y := @; }",
            "f(1)",
            "x(1)",
        ),
        (
            "class C { var v: int } method M(c: C) { var f: () ~> int := () @ => c.v; }",
            "reads c",
            "reads 3",
        ),
    ]);
}

#[test]
fn old_and_fresh_need_two_states() {
    rules(&[
        (
            "class C { var v: int method M() modifies this ensures @ { } }",
            "v == old(v)",
            "v == old(w)",
        ),
        (
            "class C { var v: int method M() modifies this requires @ { } }",
            "v == 0",
            "v == old(v)",
        ),
        (
            "class C { var v: int ghost predicate P() reads this { @ } }",
            "v == 0",
            "v == old(v)",
        ),
        (
            "class C {} method M(c: C) ensures @ { }",
            "true",
            "fresh(3)",
        ),
        (
            "class C { var v: int } method M(c: C) ensures @ { }",
            "unchanged(c)",
            "unchanged(c`w)",
        ),
    ]);
}

#[test]
fn lets_bind_patterns_that_cannot_fail() {
    rules(&[
        (
            "datatype D = A(x: int) method M(d: D) { var y := (var @ := d; 1); }",
            "A(x)",
            "B(x)",
        ),
        (
            "method M(p: (int, int)) { var y := (var @ := p; 1); }",
            "(a, b)",
            "(a, b, c)",
        ),
        (
            "method M() {\nvar y := (var #; 1); }",
            "a, b := 1, 2",
            "a, b := 1",
        ),
        (
            "method M() { var y := (var @; 1); }",
            "a, b := 1, 2",
            "a, a := 1, 2",
        ),
    ]);
}
