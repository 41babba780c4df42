//! Tests of the obligations that only the program of `check` has: frames, measures, definite
//! assignment, contracts of bodies.

use std::sync::Arc;

use super::super::*;
use super::source::with;
use dafny_resolve::typed::{Arena, Options};

/// Runs method `M` of the program of `check` with an integer; returns the kind and place of its
/// failure, or `None` if it returns.
fn run(source: &str, n: i64) -> Option<(FailureKind, String)> {
    let (map, typed) = dtest_lower::testing::resolved(source, Options::default());
    let program = dtest_lower::lower_for(
        Arc::new(dtest_desugar::unghosted(typed)),
        ir::Criteria::obligations(),
    );
    let typed = &program.typed;
    let ids = Arena::<CallableId>::ids(&**typed);
    let unit = ids
        .into_iter()
        .find(|id| typed.callable_path(*id) == "M")
        .expect("a method");
    match Interp::new(&program, Limits::default())
        .run(unit, &with([Value::int(n)]))
        .outcome
    {
        Outcome::Failed(f) => Some((f.kind, map.text(f.span).to_owned())),
        Outcome::Returned(_) => None,
        other => panic!("{other:?}"),
    }
}

/// Checks that a program violates an obligation for 0 and none for 1.
fn violated_by_zero(source: &str, kind: FailureKind, place: &str) {
    assert_eq!(run(source, 0), Some((kind, place.to_owned())), "{source}");
    assert_eq!(run(source, 1), None, "{source}");
}

#[test]
fn postconditions_of_callees_hold_at_their_end() {
    violated_by_zero(
        "method Q(n: int) returns (r: int) ensures r > 0 { r := n; } method M(n: int) { var x := Q(n); }",
        FailureKind::Postcondition,
        "r > 0",
    );
}

#[test]
fn a_postcondition_of_a_function_holds_for_its_value() {
    violated_by_zero(
        "function F(n: int): int ensures F(n) > 0 { n } method M(n: int) { var x := F(n); }",
        FailureKind::Postcondition,
        "F(n) > 0",
    );
}

#[test]
fn only_the_frame_is_modified() {
    violated_by_zero(
        "class C { var x: int constructor() { x := 0; } } method Q(c: C, n: int) { if n == 0 { c.x := 1; } } method M(n: int) { var c := new C(); Q(c, n); }",
        FailureKind::Modifies,
        "c.x := 1;",
    );
}

#[test]
fn a_loop_has_the_frame_of_its_own_clause() {
    violated_by_zero(
        "method M(n: int) { var a, b := new int[1], new int[1]; var i := 0; while i < 1 modifies a { if n == 0 { b[0] := 1; } else { a[0] := 1; } i := i + 1; } }",
        FailureKind::Modifies,
        "b[0] := 1;",
    );
}

#[test]
fn only_the_frame_is_read() {
    violated_by_zero(
        "class C { var x: int constructor() { x := 1; } function F(n: int): int reads if n == 0 then {} else {this} { x } } method M(n: int) { var c := new C(); var y := c.F(n); }",
        FailureKind::Reads,
        "x",
    );
}

#[test]
fn measures_of_loops_decrease() {
    violated_by_zero(
        "method M(n: int) { var i := 0; while i < 3 decreases 3 - i { if n == 0 && i == 1 { i := 0; } else { i := i + 1; } } }",
        FailureKind::Decreases,
        "while i < 3 decreases 3 - i { if n == 0 && i == 1 { i := 0; } else { i := i + 1; } }",
    );
}

#[test]
fn measures_of_calls_decrease() {
    violated_by_zero(
        "function F(k: int, n: int): int decreases k { if k <= 0 then 0 else F(if n == 0 then k else k - 1, n) } method M(n: int) { var x := F(2, n); }",
        FailureKind::Decreases,
        "F(if n == 0 then k else k - 1, n)",
    );
}

#[test]
fn invariants_hold_on_entry_and_after_each_iteration() {
    violated_by_zero(
        "method M(n: int) { var i := n; while i < 3 invariant i > 0 { i := i + 1; } }",
        FailureKind::Invariant,
        "i > 0",
    );
    violated_by_zero(
        "method M(n: int) { var i := 5; while i > 3 invariant i >= 3 decreases i { i := if n == 0 && i == 5 then 2 else i - 1; } }",
        FailureKind::InvariantKept,
        "i >= 3",
    );
}

#[test]
fn variables_are_assigned_before_they_are_read() {
    violated_by_zero(
        "class C { constructor() {} } method M(n: int) { var c: C; if n != 0 { c := new C(); } var d := c; }",
        FailureKind::Unassigned,
        "c",
    );
}

#[test]
fn the_range_of_a_for_loop_is_not_negative() {
    violated_by_zero(
        "method M(n: int) { for i := 1 to n { } }",
        FailureKind::LoopRange,
        "i := 1 to n",
    );
}

#[test]
fn a_compiled_choice_in_an_expression_has_one_candidate() {
    violated_by_zero(
        "function F(n: int): int { var x :| 0 <= x < 2 - n; x } method M(n: int) { var y := F(n); }",
        FailureKind::NotUnique,
        "var x :| 0 <= x < 2 - n; x",
    );
}
