// tests/dtest/doubled.rs

use dunit::prelude::*;

use crate::subject::sequence_concatenation;

/// Reaches src/sequence_concatenation.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Doubled")]
fn runs() {
    let s = seq![int(2), int(3), int(5)];

    let result = sequence_concatenation::doubled(&s);

    expect_eq!(
        result,
        seq![int(2), int(3), int(5), int(2), int(3), int(5)],
        "src/sequence_concatenation.dfy:1:10: Doubled by Dafny's semantics",
    );
}
