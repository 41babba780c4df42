// tests/dtest/squared.rs

use dunit::prelude::*;

use crate::subject::ghost_result_erased;

/// Reaches src/ghost_result_erased.dfy:3:1: the body is entered (block 1 of 1).
#[dunit(unit = "Squared")]
fn runs() {
    let n = int(3);

    let (r, root) = ghost_result_erased::squared(&n);

    expect_eq!(
        r,
        int(9),
        "src/ghost_result_erased.dfy:1:8: Squared by Dafny's semantics",
    );
    expect_eq!(
        root,
        int(3),
        "src/ghost_result_erased.dfy:1:8: Squared by Dafny's semantics",
    );
    expect!(r == &root * &root, "src/ghost_result_erased.dfy:2:11: r == root * root");
}
