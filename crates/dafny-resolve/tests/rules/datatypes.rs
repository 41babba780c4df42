//! Rules of datatypes, their constructors and members.

use crate::{error_lines, rules};

#[test]
fn constructors_and_destructors_have_unique_names() {
    rules(&[
        ("datatype D = A(x: int) @", "| B(x: int)", "| A(y: int)"),
        ("datatype D = A(x: int) @", "| B(x: int)", "| B(x: bool)"),
        ("datatype D = A(x: int, # )", "y: int", "x: int"),
        (
            "datatype D = A(x: int) { @ }",
            "function y(): int { 1 }",
            "function x(): int { 1 }",
        ),
    ]);
}

#[test]
fn constructions_have_their_arguments() {
    rules(&[
        (
            "datatype D = A(x: int, b: bool) const c := @",
            "A(1, true)",
            "A(1)",
        ),
        (
            "datatype D = A(x: int, b: bool) const c := @",
            "A(1, true)",
            "A(true, 1)",
        ),
        (
            "datatype D = A(x: int, b: bool) const c := @",
            "A(b := true, x := 1)",
            "A(b := true, y := 1)",
        ),
        (
            "datatype D = A | B datatype E = A\nconst c: D := #",
            "D.A",
            "E.A",
        ),
        (
            "datatype D = A | B datatype E = A | C const c := @",
            "D.A",
            "A",
        ),
        ("datatype D = A const c := @", "D.A", "D.C"),
    ]);
}

#[test]
fn updates_name_fields_of_one_constructor() {
    rules(&[
        (
            "datatype D = A(x: int, y: int) | B(z: int) const c := A(1, 2).(@)",
            "x := 1, y := 2",
            "w := 1",
        ),
        (
            "datatype D = A(x: int, y: int) | B(z: int) const c := A(1, 2).(@)",
            "x := 1, y := 2",
            "x := 1, z := 2",
        ),
        (
            "datatype D = A(x: int, y: int) | B(z: int) const c := A(1, 2).(@)",
            "x := 1, y := 2",
            "x := 1, x := 2",
        ),
        (
            "datatype D = A(x: int, y: int) | B(z: int)\nconst c := A(1, 2).(#)",
            "x := 1",
            "x := true",
        ),
    ]);
}

#[test]
fn discriminators_belong_to_the_datatype() {
    rules(&[
        (
            "datatype D = A | B datatype E = C const c := D.A.@",
            "B?",
            "C?",
        ),
        (
            "datatype D = A | B method M(x: int, d: D) { var b := @; }",
            "d.A?",
            "x.A?",
        ),
    ]);
}

#[test]
fn matches_cover_types_that_have_patterns() {
    rules(&[
        (
            "datatype D = A | B const d: D const c := match d @ case B => 2",
            "case A => 1",
            "case A(x) => 1",
        ),
        (
            "const c := match (1, true) @ case _ => 2",
            "case (1, _) => 1",
            "case (1, 2) => 1",
        ),
        (
            "const c := match \"a\" @ case _ => 2",
            "case \"a\" => 1",
            "case 'a' => 1",
        ),
        (
            "const c := match 1 @ case _ => 2",
            "case 1 | 2 => 1",
            "case 1 | true => 1",
        ),
        (
            "datatype D = A(x: int) | B(x: int) const d: D const c := match d @ case _ => 2",
            "case A(_) | B(_) => 1",
            "case A(x) | B(x) => 1",
        ),
    ]);
}

#[test]
fn every_variable_of_an_alternative_is_an_error() {
    let program = |pattern: &str| {
        format!(
            "datatype D = A(x: int) | B(x: int, d: D) | C\n\
             function F(d: D): int {{\nmatch d\ncase {pattern} => 1\ncase _ => 2\n}}"
        )
    };
    // The second alternative repeats a name of the first one, and that is no second error.
    assert_eq!(error_lines(&program("A(x)\n| B(x, _)\n| C")), [4, 5]);
    // Within an alternative, Dafny reports a repeated name instead.
    assert_eq!(error_lines(&program("B(x,\nA(x))\n| C")), [5]);
}

#[test]
fn members_of_datatypes_are_immutable() {
    rules(&[
        ("datatype D = A { @ }", "const k := 1", "var v: int"),
        ("datatype D = A { @ }", "method M() {}", "constructor () {}"),
        ("newtype T = int { @ }", "const k := 1", "var v: int"),
        (
            "newtype T = int { @ }",
            "method M() {}",
            "constructor () {}",
        ),
    ]);
}
