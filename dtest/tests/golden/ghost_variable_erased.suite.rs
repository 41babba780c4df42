// tests/dtest/steps.rs

use dunit::prelude::*;

use crate::subject::ghost_variable_erased;

/// Reaches src/ghost_variable_erased.dfy:1:39: the body is entered (block 1 of 1).
#[dunit(unit = "Steps")]
fn runs() {
    let n = int(3);

    let r = ghost_variable_erased::steps(&n);

    expect_eq!(
        r,
        int(4),
        "src/ghost_variable_erased.dfy:1:8: Steps by Dafny's semantics",
    );
}
