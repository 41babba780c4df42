// tests/dtest/reversed.rs

use dunit::prelude::*;

use crate::subject::postcondition_with_multiset;

/// Reaches src/postcondition_with_multiset.dfy:4:1: the body is entered (block 1 of 1).
#[dunit(unit = "Reversed")]
fn runs() {
    let s = seq![int(3), int(2)];
    require!(s.len() == 2, "src/postcondition_with_multiset.dfy:2:12: |s| == 2");

    let r = postcondition_with_multiset::reversed(&s);

    expect_eq!(
        r,
        seq![int(2), int(3)],
        "src/postcondition_with_multiset.dfy:1:8: Reversed by Dafny's semantics",
    );
    expect!(
        r.to_multiset() == s.to_multiset(),
        "src/postcondition_with_multiset.dfy:3:11: multiset(r) == multiset(s)",
    );
}
