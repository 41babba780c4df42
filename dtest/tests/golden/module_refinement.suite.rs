// tests/dtest/implementation/doubled.rs

use dunit::prelude::*;

use crate::subject::module_refinement::implementation;

/// Reaches src/module_refinement.dfy:5:5: the body is entered (block 1 of 1).
#[dunit(unit = "Implementation.Doubled")]
fn runs() {
    let result = implementation::doubled();

    expect_eq!(
        result,
        int(42),
        "src/module_refinement.dfy:4:12: Doubled by Dafny's semantics",
    );
}

// tests/dtest/implementation/limit.rs

use dunit::prelude::*;

use crate::subject::module_refinement::implementation;

/// Reaches src/module_refinement.dfy:11:5: the body is entered (block 1 of 1).
#[dunit(unit = "Implementation.Limit")]
fn runs() {
    let result = implementation::limit();

    expect_eq!(
        result,
        int(21),
        "src/module_refinement.dfy:10:12: Limit by Dafny's semantics",
    );
}
