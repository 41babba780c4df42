// tests/dtest/divide.rs

use dunit::prelude::*;

use crate::subject::precondition;

/// Reaches src/precondition.dfy:3:1: the body is entered (block 1 of 1).
#[dunit(unit = "Divide")]
fn runs() {
    let a = int(-1);
    let b = int(-4);
    require!(b != 0, "src/precondition.dfy:2:12: b != 0");

    let q = precondition::divide(&a, &b);

    expect_eq!(q, int(1), "src/precondition.dfy:1:8: Divide by Dafny's semantics");
}
