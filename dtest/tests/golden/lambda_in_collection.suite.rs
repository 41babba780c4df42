// tests/dtest/run.rs

use dunit::prelude::*;

use crate::subject::lambda_in_collection;

/// Reaches src/lambda_in_collection.dfy:6:3: the body is entered (block 1 of 1).
#[dunit(unit = "Run")]
fn runs() {
    let n = int(3);

    let result = lambda_in_collection::run(&n);

    expect_eq!(
        result,
        int(8),
        "src/lambda_in_collection.dfy:5:10: Run by Dafny's semantics",
    );
}

// tests/dtest/steps.rs

use dunit::prelude::*;

use crate::subject::lambda_in_collection;

/// Reaches src/lambda_in_collection.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Steps")]
fn runs() {
    let result = lambda_in_collection::steps();

    expect_eq!(
        result.len(),
        int(2),
        "src/lambda_in_collection.dfy:1:10: Steps by Dafny's semantics: its size",
    );
    expect_eq!(
        result[0].call(&int(1)),
        int(2),
        "src/lambda_in_collection.dfy:1:10: Steps by Dafny's semantics: [0]",
    );
    expect_eq!(
        result[0].call(&int(0)),
        int(1),
        "src/lambda_in_collection.dfy:1:10: Steps by Dafny's semantics: [0]",
    );
    expect_eq!(
        result[0].call(&int(2)),
        int(3),
        "src/lambda_in_collection.dfy:1:10: Steps by Dafny's semantics: [0]",
    );
    expect_eq!(
        result[1].call(&int(2)),
        int(4),
        "src/lambda_in_collection.dfy:1:10: Steps by Dafny's semantics: [1]",
    );
    expect_eq!(
        result[1].call(&int(1)),
        int(2),
        "src/lambda_in_collection.dfy:1:10: Steps by Dafny's semantics: [1]",
    );
    expect_eq!(
        result[1].call(&int(3)),
        int(6),
        "src/lambda_in_collection.dfy:1:10: Steps by Dafny's semantics: [1]",
    );
}
