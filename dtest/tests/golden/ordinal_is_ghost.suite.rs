// tests/dtest/kept.rs

use dunit::prelude::*;

use crate::subject::ordinal_is_ghost;

/// Reaches src/ordinal_is_ghost.dfy:6:3: the body is entered (block 1 of 1).
#[dunit(unit = "Kept")]
fn runs() {
    let n = int(3);
    require!(0 <= n, "src/ordinal_is_ghost.dfy:5:15: n is a nat");

    let result = ordinal_is_ghost::kept(&n);

    expect_eq!(
        result,
        int(4),
        "src/ordinal_is_ghost.dfy:5:10: Kept by Dafny's semantics",
    );
    expect!(0 <= result, "src/ordinal_is_ghost.dfy:5:10: the result is a nat");
}
