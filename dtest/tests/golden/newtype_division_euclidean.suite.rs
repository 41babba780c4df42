// tests/dtest/remainder.rs

use dunit::prelude::*;

use crate::subject::newtype_division_euclidean;

/// Reaches src/newtype_division_euclidean.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Remainder")]
fn runs() {
    let a = 1000i32;

    let result = newtype_division_euclidean::remainder(a);

    expect_eq!(
        result,
        6i32,
        "src/newtype_division_euclidean.dfy:3:10: Remainder by Dafny's semantics",
    );
}
