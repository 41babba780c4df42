// tests/dtest/common.rs

use dunit::prelude::*;

use crate::subject::quantifier_with_two_ranges;

/// Reaches src/quantifier_with_two_ranges.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Common")]
fn runs() {
    let s = seq![int(10)];
    let t = set![int(7), int(11), int(13)];

    let result = quantifier_with_two_ranges::common(&s, &t);

    expect_eq!(
        result,
        false,
        "src/quantifier_with_two_ranges.dfy:1:11: Common by Dafny's semantics",
    );
}
