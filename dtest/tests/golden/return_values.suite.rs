// tests/dtest/classify.rs

use dunit::prelude::*;

use crate::subject::return_values;

/// Reaches src/return_values.dfy:2:12: `n < 0` holds (block 2 of 3); also block 1.
/// Path: n < 0.
#[dunit(unit = "Classify")]
fn when_n_is_less_than_0() {
    let n = int(-1);

    let (name, rank) = return_values::classify(&n);

    expect_eq!(
        name,
        str("negative"),
        "src/return_values.dfy:1:8: Classify by Dafny's semantics",
    );
    expect_eq!(
        rank,
        int(-1),
        "src/return_values.dfy:1:8: Classify by Dafny's semantics",
    );
}

/// Reaches src/return_values.dfy:4:4: `n < 0` does not hold (block 3 of 3); also block 1.
/// Path: n >= 0.
#[dunit(unit = "Classify")]
fn when_n_is_at_least_0() {
    let n = int(0);

    let (name, rank) = return_values::classify(&n);

    expect_eq!(
        name,
        str("other"),
        "src/return_values.dfy:1:8: Classify by Dafny's semantics",
    );
    expect_eq!(
        rank,
        int(1),
        "src/return_values.dfy:1:8: Classify by Dafny's semantics",
    );
}
