//! Tests of the control flow of bodies.

use boogie_resolve::typed::{Block, BlockId, Program};

use crate::flow::{changed_in_loop, reached, successors};
use crate::test_support::{entry, program};

fn blocks(program: &Program) -> &[Block] {
    &program.procedure(entry(program)).implementations[0].blocks
}

fn ids(found: impl IntoIterator<Item = BlockId>) -> Vec<u32> {
    let mut out: Vec<u32> = found.into_iter().map(|b| b.0).collect();
    out.sort_unstable();
    out
}

#[test]
fn the_end_of_a_block_determines_its_successors() {
    let p = program("procedure P(x: int) { if (x > 0) { goto A, B; } return; A: B: }");
    let all: Vec<Vec<u32>> = (0..blocks(&p).len() as u32)
        .map(|b| {
            successors(blocks(&p), BlockId(b))
                .iter()
                .map(|b| b.0)
                .collect()
        })
        .collect();
    // Blocks 1 and 2 are those of the labels.
    assert_eq!(
        all,
        [vec![3, 4], vec![2], vec![], vec![1, 2], vec![5], vec![]]
    );
}

#[test]
fn blocks_behind_a_return_are_not_reached() {
    let p = program("procedure P() { return; assert true; }");
    assert_eq!(ids(reached(blocks(&p), None)), [0]);
}

#[test]
fn a_block_can_be_passed_by() {
    let p = program("procedure P(x: int) { if (x > 0) { assert true; } assert false; }");
    assert_eq!(ids(reached(blocks(&p), None)), [0, 1, 2, 3]);
    assert_eq!(ids(reached(blocks(&p), Some(BlockId(1)))), [0, 2, 3]);
    assert_eq!(
        ids(reached(blocks(&p), Some(BlockId(0)))),
        Vec::<u32>::new()
    );
}

/// Returns the names of the variables that the loop with the `n`th head changes.
fn changed(text: &str, n: usize) -> Vec<String> {
    let p = program(text);
    let heads: Vec<usize> = (0..blocks(&p).len())
        .filter(|i| blocks(&p)[*i].head.is_some())
        .collect();
    let vars = changed_in_loop(&p, blocks(&p), BlockId(heads[n] as u32));
    vars.iter().map(|v| p.var(*v).name.to_string()).collect()
}

#[test]
fn a_loop_changes_what_its_body_assigns() {
    let text = "var g: int; procedure Q() returns (r: int); modifies g; procedure P() modifies g; { var a, b, c, d: int; a := 1; while (*) { b := 2; havoc c; call d := Q(); } a := 3; }";
    assert_eq!(changed(text, 0), ["g", "b", "c", "d"]);
}

#[test]
fn an_inner_loop_does_not_change_what_the_outer_one_assigns() {
    let text = "procedure P() { var a, b: int; while (*) { a := 1; while (*) { b := 2; } } }";
    assert_eq!(changed(text, 0), ["a", "b"]);
    assert_eq!(changed(text, 1), ["b"]);
}

#[test]
fn code_that_leaves_a_loop_does_not_belong_to_it() {
    let text = "procedure P() { var a, b: int; while (*) { if (*) { a := 1; return; } b := 2; } }";
    assert_eq!(changed(text, 0), ["b"]);
}
