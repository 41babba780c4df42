// tests/dtest/positive.rs

use dunit::prelude::*;

use crate::subject::killed_mutant;

/// Reaches src/killed_mutant.dfy:3:3: the body is entered (block 1 of 1).
#[dunit(unit = "Positive")]
fn runs() {
    let n = int(1);

    let result = killed_mutant::positive(&n);

    expect_eq!(
        result,
        true,
        "src/killed_mutant.dfy:2:11: Positive by Dafny's semantics",
    );
}

/// Kills a mutant that survives the other tests of `Positive`: `Positive` has no effect and returns `true` (src/killed_mutant.dfy:2:11).
/// Reaches src/killed_mutant.dfy:3:3: the body is entered (block 1 of 1).
#[dunit(unit = "Positive")]
fn kills_a_default_value() {
    let n = int(0);

    let result = killed_mutant::positive(&n);

    expect_eq!(
        result,
        false,
        "src/killed_mutant.dfy:2:11: Positive by Dafny's semantics",
    );
}
