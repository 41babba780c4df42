// tests/dtest/within.rs

use dunit::prelude::*;

use crate::subject::constant_declaration;

/// Reaches src/constant_declaration.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Within")]
fn runs() {
    let n = int(3);

    let result = constant_declaration::within(&n);

    expect_eq!(
        result,
        true,
        "src/constant_declaration.dfy:3:10: Within by Dafny's semantics",
    );
}
