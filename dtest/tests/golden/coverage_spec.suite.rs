// tests/dtest/abs.rs

use dunit::prelude::*;

use crate::subject::coverage_spec;

/// Reaches src/coverage_spec.dfy:3:11: postcondition: `r == n` holds (goal 1 of 2).
/// Path: n >= 0.
#[dunit(unit = "Abs")]
fn gives_when_r_is_n() {
    let n = int(3);

    let r = coverage_spec::abs(&n);

    expect_eq!(r, int(3), "src/coverage_spec.dfy:2:10: Abs by Dafny's semantics");
    expect!(r == n || r == -&n, "src/coverage_spec.dfy:3:11: r == n || r == -n");
}

/// Reaches src/coverage_spec.dfy:3:21: postcondition: `r == -n` holds (goal 2 of 2).
/// Path: n < 0.
#[dunit(unit = "Abs")]
fn gives_when_r_is_minus_n() {
    let n = int(-1);

    let r = coverage_spec::abs(&n);

    expect_eq!(r, int(1), "src/coverage_spec.dfy:2:10: Abs by Dafny's semantics");
    expect!(r == n || r == -&n, "src/coverage_spec.dfy:3:11: r == n || r == -n");
}
