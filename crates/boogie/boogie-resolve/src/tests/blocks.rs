//! Tests of the basic blocks of bodies. A block is printed as its loop, statements and end.

use crate::test_support::{block, blocks, implementation, program};

/// Checks the blocks of a body with the local variables `x`, `y` and `d`.
fn check(body: &str, expected: &[&str]) {
    let text = format!(
        "procedure P() {{ var x, y: int; var d: D; {body} }} datatype D {{ C(v: int), E(v: int, w: int) }} procedure Q(a: int) returns (b: int);"
    );
    assert_eq!(blocks(&text), expected, "{body}");
}

#[test]
fn statements_without_branches_are_one_block() {
    check(
        "x := 1; assume x > 0; havoc x, y; assert y == x;",
        &["x := 1; assume (x > 0); havoc x, y; assert (y == x); return"],
    );
}

#[test]
fn values_of_a_parallel_assignment_are_one_statement() {
    check("x, y := y, x;", &["x := y, y := x; return"]);
}

#[test]
fn an_empty_body_returns() {
    check("", &["return"]);
}

#[test]
fn an_element_is_assigned_by_an_update_of_the_variable() {
    let text = "procedure P() { var m: [int][bool]int; m[1][true] := 2; }";
    assert_eq!(blocks(text), ["m := m[1 := m[1][true := 2]]; return"]);
}

#[test]
fn a_field_is_assigned_by_an_update_in_each_constructor_that_has_it() {
    check("d->v := 1;", &["d := d->({C.v, E.v} := 1); return"]);
    check("d->w := 1;", &["d := d->({E.w} := 1); return"]);
}

#[test]
fn taking_apart_asserts_the_constructor() {
    check(
        "E(x, y) := d;",
        &["assert (d is E); x := d->{E.v}, y := d->{E.w}; return"],
    );
}

#[test]
fn both_branches_continue_after_the_conditional() {
    check(
        "if (x > 0) { x := 1; } else { x := 2; } y := 3;",
        &[
            "if (x > 0) goto 1 else 2",
            "x := 1; goto 3",
            "x := 2; goto 3",
            "y := 3; return",
        ],
    );
}

#[test]
fn an_arbitrary_guard_jumps_to_either_branch() {
    check(
        "if (*) { x := 1; }",
        &["goto 1, 2", "x := 1; goto 3", "goto 3", "return"],
    );
}

#[test]
fn the_head_of_a_loop_is_a_block_with_its_invariants() {
    check(
        "while (x > 0) invariant x >= 0; free invariant true; { x := x - 1; }",
        &[
            "goto 1",
            "loop((x >= 0), free true); if (x > 0) goto 2 else 3",
            "x := (x - 1); goto 1",
            "return",
        ],
    );
}

#[test]
fn breaks_jump_behind_the_statement_that_they_leave() {
    check(
        "A: while (*) { while (*) { break A; } } x := 1;",
        &[
            "goto 1",
            "goto 2",
            "loop(); goto 3, 4",
            "goto 5",
            "x := 1; return",
            "loop(); goto 6, 7",
            "goto 4",
            "goto 2",
        ],
    );
}

#[test]
fn labels_begin_blocks_and_gotos_end_them() {
    check(
        "goto A, B; A: x := 1; goto C; B: x := 2; C: y := x;",
        &[
            "goto 1, 2",
            "x := 1; goto 3",
            "x := 2; goto 3",
            "y := x; return",
        ],
    );
}

#[test]
fn unreachable_statements_keep_a_block() {
    check("return; x := 1;", &["return", "x := 1; return"]);
}

#[test]
fn a_call_has_arguments_results_and_inferred_types() {
    check("call x := Q(y + 1);", &["call x := Q((y + 1)); return"]);
    check("free call x := Q(1);", &["free call x := Q(1); return"]);
    let generic =
        "procedure P() { var m: [int]int; call m := Id(m); } procedure Id<a>(x: a) returns (y: a);";
    assert_eq!(blocks(generic), ["call m := Id<[int]int>(m); return"]);
}

#[test]
fn printed_values_precede_their_statement() {
    check(
        "assert {:print \"x=\", x} true;",
        &["print \"x=\", x; assert true; return"],
    );
}

#[test]
fn hints_are_dropped_and_lemma_calls_are_unsupported() {
    check("push; hide *; pop;", &["return"]);
    check("call forall Q(*);", &["unsupported `call forall`; return"]);
}

#[test]
fn an_assertion_may_be_verified_elsewhere() {
    check(
        "assert {:verified_under y > 0} x > 0;",
        &["assert only ((y > 0) || (x > 0)); assume (x > 0); return"],
    );
    check(
        "assert {:subsumption 0} x > 0;",
        &["assert only (x > 0); return"],
    );
    check(
        "assert {:subsumption 1} x > 0;",
        &["assert (x > 0); return"],
    );
}

/// Returns the blocks of a body that is checked selectively.
fn selective(body: &str) -> (Vec<String>, bool) {
    let all = program(&format!(
        "procedure {{:selective_checking}} P() returns (x: int) ensures x > 9; {{ {body} }}"
    ));
    let body = implementation(&all);
    (
        body.blocks.iter().map(|b| block(&all, b)).collect(),
        body.free_ensures,
    )
}

#[test]
fn statements_before_the_start_are_assumed() {
    let (blocks, free_ensures) =
        selective("assert x > 0; assert {:start_checking_here} x > 1; assert x > 2;");
    assert_eq!(
        blocks,
        ["assume (x > 0); assert (x > 1); assert (x > 2); return"]
    );
    assert!(!free_ensures);
}

#[test]
fn without_a_start_nothing_is_checked() {
    let (blocks, free_ensures) = selective("assert x > 0;");
    assert_eq!(blocks, ["assume (x > 0); return"]);
    assert!(free_ensures);
}

#[test]
fn a_start_in_one_branch_does_not_check_the_other() {
    let (blocks, _) = selective(
        "if (*) { assert {:start_checking_here} x > 1; } else { assert x > 2; } assert x > 3;",
    );
    assert_eq!(
        blocks,
        [
            "goto 1, 2",
            "assert (x > 1); goto 3",
            "assume (x > 2); goto 3",
            "assert (x > 3); return"
        ]
    );
}

#[test]
fn a_start_in_a_loop_does_not_check_the_next_iteration() {
    let (blocks, _) = selective(
        "while (*) invariant x > 0; { assert x > 1; assume {:start_checking_here} true; assert x > 2; }",
    );
    assert_eq!(
        blocks,
        [
            "goto 1",
            "loop((x > 0)); goto 2, 3",
            "assume (x > 1); assume true; assert (x > 2); goto 1",
            "return"
        ]
    );
}
