// tests/dtest/last.rs

use dunit::prelude::*;

use crate::subject::subset_type_of_sequence;

/// Reaches src/subset_type_of_sequence.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Last")]
fn runs() {
    let s = seq![int(7), int(2), int(3)];
    require!(
        !s.is_empty(),
        "src/subset_type_of_sequence.dfy:3:18: s is a NonEmpty<int>",
    );

    let result = subset_type_of_sequence::last(&s);

    expect_eq!(
        result,
        int(3),
        "src/subset_type_of_sequence.dfy:3:10: Last by Dafny's semantics",
    );
}
