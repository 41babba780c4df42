// tests/dtest/sorted.rs

use dunit::prelude::*;

use crate::subject::quantifier_forall;

/// Reaches src/quantifier_forall.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Sorted")]
fn runs() {
    let s = seq![int(2), int(3), int(5)];

    let result = quantifier_forall::sorted(&s);

    expect_eq!(
        result,
        true,
        "src/quantifier_forall.dfy:1:11: Sorted by Dafny's semantics",
    );
}
