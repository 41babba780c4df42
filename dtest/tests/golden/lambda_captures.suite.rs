// tests/dtest/added.rs

use dunit::prelude::*;

use crate::subject::lambda_captures;

/// Reaches src/lambda_captures.dfy:6:3: the body is entered (block 1 of 1).
#[dunit(unit = "Added")]
fn runs() {
    let n = int(3);

    let result = lambda_captures::added(&n);

    expect_eq!(
        result,
        int(13),
        "src/lambda_captures.dfy:5:10: Added by Dafny's semantics",
    );
}

// tests/dtest/adder.rs

use dunit::prelude::*;

use crate::subject::lambda_captures;

/// Reaches src/lambda_captures.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Adder")]
fn runs() {
    let n = int(3);

    let result = lambda_captures::adder(&n);

    expect_eq!(
        result.call(&int(3)),
        int(6),
        "src/lambda_captures.dfy:1:10: Adder by Dafny's semantics",
    );
    expect_eq!(
        result.call(&int(2)),
        int(5),
        "src/lambda_captures.dfy:1:10: Adder by Dafny's semantics",
    );
    expect_eq!(
        result.call(&int(4)),
        int(7),
        "src/lambda_captures.dfy:1:10: Adder by Dafny's semantics",
    );
}
