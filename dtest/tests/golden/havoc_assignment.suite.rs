// tests/dtest/arbitrary.rs

use dunit::prelude::*;

use crate::subject::havoc_assignment;

/// Reaches src/havoc_assignment.dfy:3:1: the body is entered (block 1 of 1).
#[dunit(unit = "Arbitrary")]
fn runs() {
    let r = havoc_assignment::arbitrary();

    expect!(r || !r, "src/havoc_assignment.dfy:2:11: r || !r");
}
