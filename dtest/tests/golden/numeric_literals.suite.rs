// tests/dtest/literals.rs

use dunit::prelude::*;

use crate::subject::numeric_literals;

/// Reaches src/numeric_literals.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Literals")]
fn runs() {
    let result = numeric_literals::literals();

    expect_eq!(
        result,
        (int(1000000), int(255), real("12.5")),
        "src/numeric_literals.dfy:1:10: Literals by Dafny's semantics",
    );
}
