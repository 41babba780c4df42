// tests/dtest/split.rs

use dunit::prelude::*;

use crate::subject::int_division_euclidean;

/// Reaches src/int_division_euclidean.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Split")]
fn runs() {
    let n = int(-200);

    let result = int_division_euclidean::split(&n);

    expect_eq!(
        result,
        (int(67), int(1)),
        "src/int_division_euclidean.dfy:1:10: Split by Dafny's semantics",
    );
}
