// tests/dtest/squared.rs

use dunit::prelude::*;

use crate::subject::lemma_erased;

/// Reaches src/lemma_erased.dfy:6:41: the body is entered (block 1 of 1).
#[dunit(unit = "Squared")]
fn runs() {
    let n = int(3);

    let r = lemma_erased::squared(&n);

    expect_eq!(r, int(9), "src/lemma_erased.dfy:6:8: Squared by Dafny's semantics");
    expect!(0 <= r, "src/lemma_erased.dfy:6:33: r is a nat");
}
