// tests/dtest/positive.rs

use dunit::prelude::*;

use crate::subject::coverage_branch;

/// Reaches src/coverage_branch.dfy:4:12: `n > 0` holds (goal 2 of 3); also goal 1.
/// Path: n > 0.
#[dunit(unit = "Positive")]
fn when_n_is_greater_than_0() {
    let n = int(1);

    let r = coverage_branch::positive(&n);

    expect_eq!(r, int(1), "src/coverage_branch.dfy:2:8: Positive by Dafny's semantics");
}

/// Reaches src/coverage_branch.dfy:6:4: `n > 0` does not hold (goal 3 of 3); also goal 1.
/// Path: n <= 0.
#[dunit(unit = "Positive")]
fn when_n_is_at_most_0() {
    let n = int(-1);

    let r = coverage_branch::positive(&n);

    expect_eq!(r, int(0), "src/coverage_branch.dfy:2:8: Positive by Dafny's semantics");
}
