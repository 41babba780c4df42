// tests/dtest/parts.rs

use dunit::prelude::*;

use crate::subject::sequence_slices_of_lengths;

/// Reaches src/sequence_slices_of_lengths.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Parts")]
fn runs() {
    let s = str("abcde");
    require!(s.len() == 5, "src/sequence_slices_of_lengths.dfy:2:12: |s| == 5");

    let result = sequence_slices_of_lengths::parts(&s);

    expect_eq!(
        result,
        seq![str("ab"), str("c"), str("de")],
        "src/sequence_slices_of_lengths.dfy:1:10: Parts by Dafny's semantics",
    );
}
