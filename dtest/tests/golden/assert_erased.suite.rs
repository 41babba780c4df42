// tests/dtest/checked.rs

use dunit::prelude::*;

use crate::subject::assert_erased;

/// Reaches src/assert_erased.dfy:1:41: the body is entered (block 1 of 1).
#[dunit(unit = "Checked")]
fn runs() {
    let n = int(3);

    let r = assert_erased::checked(&n);

    expect_eq!(r, int(3), "src/assert_erased.dfy:1:8: Checked by Dafny's semantics");
}
