// tests/dtest/same.rs

use dunit::prelude::*;

use crate::subject::attributes_of_the_verifier;

/// Reaches src/attributes_of_the_verifier.dfy:1:85: the body is entered (block 1 of 1).
#[dunit(unit = "Same")]
fn runs() {
    let n = int(3);

    let r = attributes_of_the_verifier::same(&n);

    expect_eq!(
        r,
        int(3),
        "src/attributes_of_the_verifier.dfy:1:55: Same by Dafny's semantics",
    );
}
