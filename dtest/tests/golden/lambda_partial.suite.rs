// tests/dtest/reciprocal.rs

use dunit::prelude::*;

use crate::subject::lambda_partial;

/// Reaches src/lambda_partial.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Reciprocal")]
fn runs() {
    let n = int(4);
    require!(n != 0, "src/lambda_partial.dfy:2:12: n != 0");

    let result = lambda_partial::reciprocal(&n);

    expect_eq!(
        result,
        int(25),
        "src/lambda_partial.dfy:1:10: Reciprocal by Dafny's semantics",
    );
}
