// tests/dtest/zeros.rs

use dunit::prelude::*;

use crate::subject::postcondition_with_quantifier;

/// Reaches src/postcondition_with_quantifier.dfy:4:1: the body is entered (block 1 of 1).
#[dunit(unit = "Zeros")]
fn runs() {
    let n = int(3);
    require!(0 <= n, "src/postcondition_with_quantifier.dfy:1:14: n is a nat");

    let s = postcondition_with_quantifier::zeros(&n);

    expect_eq!(
        s,
        seq![int(0), int(0), int(0)],
        "src/postcondition_with_quantifier.dfy:1:8: Zeros by Dafny's semantics",
    );
    expect!(s.len() == n, "src/postcondition_with_quantifier.dfy:2:11: |s| == n");
    expect!(
        s.iter().all(|x| *x == 0),
        "src/postcondition_with_quantifier.dfy:3:11: forall x | x in s :: x == 0",
    );
}
