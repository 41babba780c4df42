// tests/dtest/is_in.rs

use dunit::prelude::*;

use crate::subject::infinite_set;

/// Reaches src/infinite_set.dfy:6:3: the body is entered (block 1 of 1).
#[dunit(unit = "IsIn")]
fn runs() {
    let n = int(3);

    let result = infinite_set::is_in(&n);

    expect_eq!(result, false, "src/infinite_set.dfy:5:11: IsIn by Dafny's semantics");
}

// tests/dtest/naturals.rs

use dunit::prelude::*;

use crate::subject::infinite_set;

/// Reaches src/infinite_set.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Naturals")]
fn runs() {
    let result = infinite_set::naturals();

    expect_eq!(
        result,
        set![int(1), int(2)],
        "src/infinite_set.dfy:1:10: Naturals by Dafny's semantics",
    );
}
