// tests/dtest/all_positive.rs

use dunit::prelude::*;

use crate::subject::quantifier_over_set;

/// Reaches src/quantifier_over_set.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "AllPositive")]
fn runs() {
    let s = set![int(1), int(2), int(4)];

    let result = quantifier_over_set::all_positive(&s);

    expect_eq!(
        result,
        true,
        "src/quantifier_over_set.dfy:1:11: AllPositive by Dafny's semantics",
    );
}
