// tests/dtest/root.rs

use dunit::prelude::*;

use crate::subject::expect_statement;

/// Reaches src/expect_statement.dfy:1:38: the body is entered (block 1 of 1).
#[dunit(unit = "Root")]
fn runs() {
    let n = int(3);

    let r = expect_statement::root(&n);

    expect_eq!(r, int(3), "src/expect_statement.dfy:1:8: Root by Dafny's semantics");
}
