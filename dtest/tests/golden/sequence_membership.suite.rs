// tests/dtest/vowel.rs

use dunit::prelude::*;

use crate::subject::sequence_membership;

/// Reaches src/sequence_membership.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Vowel")]
fn runs() {
    let c = ch('a');

    let result = sequence_membership::vowel(c);

    expect_eq!(
        result,
        true,
        "src/sequence_membership.dfy:1:11: Vowel by Dafny's semantics",
    );
}
