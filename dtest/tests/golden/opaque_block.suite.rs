// tests/dtest/sum.rs

use dunit::prelude::*;

use crate::subject::opaque_block;

/// Reaches src/opaque_block.dfy:3:1: the body is entered (block 1 of 1).
#[dunit(unit = "Sum")]
fn runs() {
    let n = int(3);

    let r = opaque_block::sum(&n);

    expect_eq!(r, int(4), "src/opaque_block.dfy:1:8: Sum by Dafny's semantics");
    expect!(r >= n, "src/opaque_block.dfy:2:11: r >= n");
}
