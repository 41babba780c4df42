// tests/dtest/digit.rs

use dunit::prelude::*;

use crate::subject::match_literal;

/// Reaches src/match_literal.dfy:3:17: case `"one"` (block 2 of 4); also block 1.
/// Path: "one".
#[dunit(unit = "Digit")]
fn in_case_one() {
    let s = str("one");

    let result = match_literal::digit(&s);

    expect_eq!(
        result,
        int(1),
        "src/match_literal.dfy:1:10: Digit by Dafny's semantics",
    );
}

/// Reaches src/match_literal.dfy:4:17: case `"two"` (block 3 of 4); also block 1.
/// Path: !("one"), "two".
#[dunit(unit = "Digit")]
fn in_case_two() {
    let s = str("two");

    let result = match_literal::digit(&s);

    expect_eq!(
        result,
        int(2),
        "src/match_literal.dfy:1:10: Digit by Dafny's semantics",
    );
}

/// Reaches src/match_literal.dfy:5:13: case `_` (block 4 of 4); also block 1.
/// Path: !("one"), !("two").
#[dunit(unit = "Digit")]
fn otherwise() {
    let s = str("0Z\n");

    let result = match_literal::digit(&s);

    expect_eq!(
        result,
        int(0),
        "src/match_literal.dfy:1:10: Digit by Dafny's semantics",
    );
}
