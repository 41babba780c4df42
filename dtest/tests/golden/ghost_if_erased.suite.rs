// tests/dtest/kept.rs

use dunit::prelude::*;

use crate::subject::ghost_if_erased;

/// Reaches src/ghost_if_erased.dfy:1:38: the body is entered (block 1 of 1).
#[dunit(unit = "Kept")]
fn runs() {
    let n = int(3);

    let r = ghost_if_erased::kept(&n);

    expect_eq!(r, int(3), "src/ghost_if_erased.dfy:1:8: Kept by Dafny's semantics");
}
