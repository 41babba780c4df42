// tests/dtest/compare.rs

use dunit::prelude::*;

use crate::subject::postcondition_by_cases;

/// Reaches src/postcondition_by_cases.dfy:5:22: `a < b` holds (block 2 of 5); also block 1.
/// Path: a < b.
#[dunit(unit = "Compare")]
fn when_a_is_less_than_b() {
    let a = int(0);
    let b = int(3);

    let r = postcondition_by_cases::compare(&a, &b);

    expect_eq!(
        r,
        int(-1),
        "src/postcondition_by_cases.dfy:1:8: Compare by Dafny's semantics",
    );
    expect!(
        (r < 0) == (a < b),
        "src/postcondition_by_cases.dfy:2:11: r < 0 <==> a < b",
    );
    expect!(
        (r == 0) == (a == b),
        "src/postcondition_by_cases.dfy:3:11: r == 0 <==> a == b",
    );
}

/// Reaches src/postcondition_by_cases.dfy:5:45: `a == b` holds (block 4 of 5); also blocks 1, 3.
/// Path: a >= b, a == b.
#[dunit(unit = "Compare")]
fn when_a_is_b() {
    let a = int(0);
    let b = int(0);

    let r = postcondition_by_cases::compare(&a, &b);

    expect_eq!(
        r,
        int(0),
        "src/postcondition_by_cases.dfy:1:8: Compare by Dafny's semantics",
    );
    expect!(
        (r < 0) == (a < b),
        "src/postcondition_by_cases.dfy:2:11: r < 0 <==> a < b",
    );
    expect!(
        (r == 0) == (a == b),
        "src/postcondition_by_cases.dfy:3:11: r == 0 <==> a == b",
    );
}

/// Reaches src/postcondition_by_cases.dfy:5:52: `a == b` does not hold (block 5 of 5); also blocks 1, 3.
/// Path: a >= b, a != b.
#[dunit(unit = "Compare")]
fn when_a_is_not_b() {
    let a = int(3);
    let b = int(2);

    let r = postcondition_by_cases::compare(&a, &b);

    expect_eq!(
        r,
        int(1),
        "src/postcondition_by_cases.dfy:1:8: Compare by Dafny's semantics",
    );
    expect!(
        (r < 0) == (a < b),
        "src/postcondition_by_cases.dfy:2:11: r < 0 <==> a < b",
    );
    expect!(
        (r == 0) == (a == b),
        "src/postcondition_by_cases.dfy:3:11: r == 0 <==> a == b",
    );
}
