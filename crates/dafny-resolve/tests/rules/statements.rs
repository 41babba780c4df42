//! Rules of statements.

use crate::rules;

#[test]
fn variables_are_declared_once_in_a_scope() {
    rules(&[
        ("method M() { var x := 1; @ }", "var y := 2;", "var x := 2;"),
        (
            "method M() {\nvar x := 1; { # } }",
            "var x := 2;",
            "x := true;",
        ),
        ("method M(x: int) { @ }", "var y := 2;", "y := 2;"),
        ("method M(x: int, @ )", "y: int", "x: int"),
        ("method M(x: int) returns ( @ )", "y: int", "x: int"),
        ("method M() { { var z := 1; } @ }", "var z := 2;", "z := 2;"),
    ]);
}

#[test]
fn only_variables_and_fields_are_assigned() {
    rules(&[
        (
            "method M(x: int) returns (r: int) { @ }",
            "r := x;",
            "x := r;",
        ),
        (
            "const c: int method M() { var x := 0; @ }",
            "x := c;",
            "c := x;",
        ),
        (
            "class C { const k: int var v: int } method M(c: C) modifies c { @ }",
            "c.v := 1;",
            "c.k := 1;",
        ),
        (
            "datatype D = A(x: int) method M(d: D) { var e := d; @ }",
            "e := A(2);",
            "e.x := 2;",
        ),
        (
            "method M(s: seq<int>, a: array<int>) modifies a { @ }",
            "a[0] := 1;",
            "s[0] := 1;",
        ),
        (
            "method M() { for i := 0 to 3 { @ } }",
            "var j := i;",
            "i := 2;",
        ),
        (
            "method M() { var x, y := 1, 2; @ }",
            "x, y := y, x;",
            "x, y := 1;",
        ),
        ("method M() {\nvar x := 1; # }", "x := 2;", "x := true;"),
    ]);
}

#[test]
fn method_calls_fit_their_results() {
    rules(&[
        (
            "method N() returns (a: int, b: bool) { a := 1; b := true; } method M() { @ }",
            "var x, y := N();",
            "var x := N();",
        ),
        (
            "method N() returns (a: int, b: bool) { a := 1; b := true; } method M() { var x: int; @ }",
            "var b; x, b := N();",
            "x, x := N();",
        ),
        ("method N(x: int) { } method M() { @ }", "N(1);", "N();"),
        ("method N(x: int) { } method M() { @ }", "N(1);", "N(true);"),
        (
            "method N(x: int) { } method M() { @ }",
            "N(1);",
            "var y := N(1);",
        ),
        (
            "function F(): int { 1 } method M() { @ }",
            "var x := F();",
            "F();",
        ),
    ]);
}

#[test]
fn returns_fit_the_results() {
    rules(&[
        (
            "method M() returns (r: int) { @ }",
            "return 1;",
            "return true;",
        ),
        (
            "method M() returns (r: int) { @ }",
            "return 1;",
            "return 1, 2;",
        ),
        (
            "method M() returns (a: int, b: int) { @ }",
            "return 1, 2;",
            "return 1;",
        ),
        ("method M() { @ }", "return;", "return 1;"),
    ]);
}

#[test]
fn jumps_have_a_target() {
    rules(&[
        ("method M() { while true { @ } }", "break;", "break break;"),
        (
            "method M() { while true { @ } }",
            "continue;",
            "continue l;",
        ),
        (
            "method M() { label l: while true { @ } }",
            "break l;",
            "break k;",
        ),
        ("method M() { label l: { @ } }", "break l;", "continue l;"),
        ("method M() { @ }", "label l: { }", "break;"),
        (
            "method M() { label l: { @ } }",
            "label k: { }",
            "label l: { }",
        ),
    ]);
}

#[test]
fn loops_have_measures_and_invariants() {
    rules(&[
        (
            "method M(n: int) { var i := 0; while i < n invariant @ { i := i + 1; } }",
            "i >= 0",
            "i",
        ),
        (
            "method M(n: int) { var i := 0; while i < n decreases @ { i := i + 1; } }",
            "n - i",
            "m - i",
        ),
        ("method M(n: int) { for i := 0 to @ { } }", "n", "true"),
        (
            "method M(n: int) { for i := 0 to 3 invariant @ { } }",
            "i <= 3",
            "i",
        ),
        (
            "method M(n: int) {\nfor i: # := 0 to 3 { } }",
            "nat",
            "bool",
        ),
    ]);
}

#[test]
fn matches_name_constructors_with_their_arguments() {
    rules(&[
        (
            "datatype D = A(x: int) | B method M(d: D) { match d { case @ => case B => } }",
            "A(x)",
            "A(x, y)",
        ),
        (
            "datatype D = A(x: int) | B method M(d: D) { match d { case @ => case B => } }",
            "A(_)",
            "C(_)",
        ),
        (
            "datatype D = A(x: int, y: int) | B method M(d: D) { match d { case @ => case B => } }",
            "A(x, y)",
            "A(x, x)",
        ),
        (
            "method M(n: int) { match n { case @ => case _ => } }",
            "1",
            "true",
        ),
    ]);
}

#[test]
fn forall_statements_assign_or_prove() {
    rules(&[
        (
            "method M(a: array<int>) modifies a { forall i | 0 <= i < a.Length { @ } }",
            "a[i] := 0;",
            "return;",
        ),
        (
            "method M(a: array<int>) modifies a { forall i | 0 <= i < a.Length { @ } }",
            "a[i] := 0;",
            "a[i] := true;",
        ),
        (
            "lemma L(i: int) { } method M() { forall i: int { @ } }",
            "L(i);",
            "return;",
        ),
    ]);
}

#[test]
fn choices_have_a_condition() {
    rules(&[
        ("method M(s: set<int>) { var x :| @; }", "x in s", "x + 1"),
        (
            "method M(s: set<int>) { var x: int; x :| @; }",
            "x in s",
            "y in s",
        ),
        (
            "method M(s: set<int>) { var x: int, y: int; @ :| x in s && y in s; }",
            "x, y",
            "x, x",
        ),
        ("method M(s: set<int>) { if x :| @ { } }", "x in s", "x + 1"),
    ]);
}

#[test]
fn failures_are_propagated_to_a_compatible_result() {
    let result = "datatype R = Ok(v: int) | No { predicate IsFailure() { No? } function PropagateFailure(): R { this } function Extract(): int requires Ok? { v } } function F(): R { No }";
    let rows = [
        (
            format!("{result} method M() returns (r: R) {{ @ r := No; }}"),
            "var x :- F();",
            "var x :- 3;",
        ),
        (
            format!("{result} method M() returns (r: R) {{ @ r := No; }}"),
            "var x :- expect F();",
            "var x: bool :- F();",
        ),
        (
            format!("{result} method M() returns (r: R) {{ @ r := No; }}"),
            "var x :- F();",
            "var x, y :- F();",
        ),
    ];
    let rows: Vec<(&str, &str, &str)> = rows.iter().map(|(c, g, b)| (c.as_str(), *g, *b)).collect();
    rules(&rows);
}

#[test]
fn prints_expectations_and_assertions() {
    rules(&[
        ("method M(x: int) { expect @; }", "x > 0", "x"),
        ("method M(x: int) { expect x > 0, @; }", "\"message\"", "y"),
        ("method M(x: int) { print @; }", "x", "y"),
        (
            "method M(x: int) { assert x > 0 by { @ } }",
            "assert x > 0;",
            "assert x;",
        ),
    ]);
}

#[test]
fn reveals_and_modify_statements() {
    rules(&[
        (
            "opaque function F(): int { 1 } method M() { reveal @; }",
            "F()",
            "G()",
        ),
        (
            "class C {} method M(c: C) modifies c { modify @; }",
            "c",
            "3",
        ),
        ("method M() { assert l: true; reveal @; }", "l", "k"),
    ]);
}
