// tests/dtest/has_zero.rs

use dunit::prelude::*;

use crate::subject::quantifier_exists;

/// Reaches src/quantifier_exists.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "HasZero")]
fn runs() {
    let s = seq![int(1), int(-2), int(-1)];

    let result = quantifier_exists::has_zero(&s);

    expect_eq!(
        result,
        false,
        "src/quantifier_exists.dfy:1:11: HasZero by Dafny's semantics",
    );
}
