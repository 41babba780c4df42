// tests/dtest/length.rs

use dunit::prelude::*;

use crate::subject::tail_recursion_accumulator;

/// Reaches src/tail_recursion_accumulator.dfy:2:19: `s == ""` holds (block 2 of 3); also block 1.
/// Path: s == "".
#[dunit(unit = "Length")]
fn when_s_is_empty() {
    let s = str("");

    let result = tail_recursion_accumulator::length(&s);

    expect_eq!(
        result,
        int(0),
        "src/tail_recursion_accumulator.dfy:1:10: Length by Dafny's semantics",
    );
    expect!(
        0 <= result,
        "src/tail_recursion_accumulator.dfy:1:10: the result is a nat",
    );
}

/// Reaches src/tail_recursion_accumulator.dfy:2:26: `s == ""` does not hold (block 3 of 3); also block 1.
/// Path: s != "".
#[dunit(unit = "Length")]
fn when_s_is_not_empty() {
    let s = str("a0Z");

    let result = tail_recursion_accumulator::length(&s);

    expect_eq!(
        result,
        int(3),
        "src/tail_recursion_accumulator.dfy:1:10: Length by Dafny's semantics",
    );
    expect!(
        0 <= result,
        "src/tail_recursion_accumulator.dfy:1:10: the result is a nat",
    );
}
