// tests/dtest/middle.rs

use dunit::prelude::*;

use crate::subject::sequence_slice;

/// Reaches src/sequence_slice.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Middle")]
fn runs() {
    let s = seq![int(3), int(7), int(2)];
    require!(s.len() >= 2, "src/sequence_slice.dfy:2:12: |s| >= 2");

    let result = sequence_slice::middle(&s);

    expect_eq!(
        result,
        seq![int(7)],
        "src/sequence_slice.dfy:1:10: Middle by Dafny's semantics",
    );
}
