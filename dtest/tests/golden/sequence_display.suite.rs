// tests/dtest/three.rs

use dunit::prelude::*;

use crate::subject::sequence_display;

/// Reaches src/sequence_display.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Three")]
fn runs() {
    let n = int(3);

    let result = sequence_display::three(&n);

    expect_eq!(
        result,
        seq![int(3), int(4), int(5)],
        "src/sequence_display.dfy:1:10: Three by Dafny's semantics",
    );
}
