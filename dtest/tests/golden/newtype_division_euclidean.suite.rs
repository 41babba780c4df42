// tests/dtest/remainder.rs

use dunit::prelude::*;

use crate::subject::newtype_division_euclidean;

/// Reaches src/newtype_division_euclidean.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Remainder")]
fn runs() {
    let a = -10i32;

    let result = newtype_division_euclidean::remainder(a);

    expect_eq!(
        result,
        4i32,
        "src/newtype_division_euclidean.dfy:3:10: Remainder by Dafny's semantics",
    );
}
