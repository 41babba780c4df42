// tests/dtest/steps.rs

use dunit::prelude::*;

use crate::subject::coverage_path;

/// Reaches src/coverage_path.dfy:2:8: a path through the body (goal 1 of 4).
/// Path: !a, !b.
#[dunit(unit = "Steps")]
fn path_unless_b() {
    let a = false;
    let b = false;

    let n = coverage_path::steps(a, b);

    expect_eq!(n, int(0), "src/coverage_path.dfy:2:8: Steps by Dafny's semantics");
}

/// Reaches src/coverage_path.dfy:2:8: a path through the body (goal 2 of 4).
/// Path: a, !b.
#[dunit(unit = "Steps")]
fn path_unless_b_2() {
    let a = true;
    let b = false;

    let n = coverage_path::steps(a, b);

    expect_eq!(n, int(1), "src/coverage_path.dfy:2:8: Steps by Dafny's semantics");
}

/// Reaches src/coverage_path.dfy:2:8: a path through the body (goal 3 of 4).
/// Path: !a, b.
#[dunit(unit = "Steps")]
fn path_when_b() {
    let a = false;
    let b = true;

    let n = coverage_path::steps(a, b);

    expect_eq!(n, int(2), "src/coverage_path.dfy:2:8: Steps by Dafny's semantics");
}

/// Reaches src/coverage_path.dfy:2:8: a path through the body (goal 4 of 4).
/// Path: a, b.
#[dunit(unit = "Steps")]
fn path_when_b_2() {
    let a = true;
    let b = true;

    let n = coverage_path::steps(a, b);

    expect_eq!(n, int(3), "src/coverage_path.dfy:2:8: Steps by Dafny's semantics");
}
