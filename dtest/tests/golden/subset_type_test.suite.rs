// tests/dtest/checked.rs

use dunit::prelude::*;

use crate::subject::subset_type_test;

/// Reaches src/subset_type_test.dfy:5:25: `n is Positive` holds (block 2 of 3); also block 1.
/// Path: n is Positive.
#[dunit(unit = "Checked")]
fn when_n_is_positive() {
    let n = int(3);

    let result = subset_type_test::checked(&n);

    expect_eq!(
        result,
        int(3),
        "src/subset_type_test.dfy:4:10: Checked by Dafny's semantics",
    );
    expect!(result > 0, "src/subset_type_test.dfy:4:10: the result is a Positive");
}

/// Reaches src/subset_type_test.dfy:5:44: `n is Positive` does not hold (block 3 of 3); also block 1.
/// Path: !(n is Positive).
#[dunit(unit = "Checked")]
fn unless_n_is_positive() {
    let n = int(0);

    let result = subset_type_test::checked(&n);

    expect_eq!(
        result,
        int(1),
        "src/subset_type_test.dfy:4:10: Checked by Dafny's semantics",
    );
    expect!(result > 0, "src/subset_type_test.dfy:4:10: the result is a Positive");
}
