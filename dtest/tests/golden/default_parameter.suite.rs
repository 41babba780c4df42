// tests/dtest/scaled.rs

use dunit::prelude::*;

use crate::subject::default_parameter;

/// Reaches src/default_parameter.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Scaled")]
fn runs() {
    let n = int(3);
    let factor = int(2);

    let result = default_parameter::scaled(&n, &factor);

    expect_eq!(
        result,
        int(6),
        "src/default_parameter.dfy:1:10: Scaled by Dafny's semantics",
    );
}

// tests/dtest/tenfold.rs

use dunit::prelude::*;

use crate::subject::default_parameter;

/// Reaches src/default_parameter.dfy:6:3: the body is entered (block 1 of 1).
#[dunit(unit = "Tenfold")]
fn runs() {
    let n = int(3);

    let result = default_parameter::tenfold(&n);

    expect_eq!(
        result,
        int(36),
        "src/default_parameter.dfy:5:10: Tenfold by Dafny's semantics",
    );
}
