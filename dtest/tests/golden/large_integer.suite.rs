// tests/dtest/square.rs

use dunit::prelude::*;

use crate::subject::large_integer;

/// Reaches src/large_integer.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Square")]
fn runs() {
    let result = large_integer::square();

    expect_eq!(
        result,
        int("10000000000000000000000000000000000000000"),
        "src/large_integer.dfy:1:10: Square by Dafny's semantics",
    );
}
