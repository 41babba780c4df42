// tests/dtest/clamped.rs

use dunit::prelude::*;

use crate::subject::labelled_block;

/// Reaches src/labelled_block.dfy:4:16: `n <= 10` holds (block 2 of 3); also block 1.
/// Path: n <= 10.
#[dunit(unit = "Clamped")]
fn when_n_is_at_most_10() {
    let n = int(3);

    let r = labelled_block::clamped(&n);

    expect_eq!(r, int(3), "src/labelled_block.dfy:1:8: Clamped by Dafny's semantics");
}

/// Reaches src/labelled_block.dfy:6:6: `n <= 10` does not hold (block 3 of 3); also block 1.
/// Path: n > 10.
#[dunit(unit = "Clamped")]
fn when_n_is_greater_than_10() {
    let n = int(11);

    let r = labelled_block::clamped(&n);

    expect_eq!(r, int(10), "src/labelled_block.dfy:1:8: Clamped by Dafny's semantics");
}
