// tests/dtest/replaced.rs

use dunit::prelude::*;

use crate::subject::sequence_update;

/// Reaches src/sequence_update.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Replaced")]
fn runs() {
    let s = seq![int(6), int(10), int(5)];
    require!(s.len() > 1, "src/sequence_update.dfy:2:12: |s| > 1");

    let result = sequence_update::replaced(&s);

    expect_eq!(
        result,
        seq![int(6), int(7), int(5)],
        "src/sequence_update.dfy:1:10: Replaced by Dafny's semantics",
    );
}
