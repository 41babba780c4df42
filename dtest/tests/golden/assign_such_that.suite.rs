// tests/dtest/pick.rs

use dunit::prelude::*;

use crate::subject::assign_such_that;

/// Reaches src/assign_such_that.dfy:3:1: the body is entered (block 1 of 1).
#[dunit(unit = "Pick")]
fn runs() {
    let n = int(3);

    let r = assign_such_that::pick(&n);

    expect_eq!(r, int(4), "src/assign_such_that.dfy:1:8: Pick by Dafny's semantics");
    expect!(r > n, "src/assign_such_that.dfy:2:11: r > n");
}
