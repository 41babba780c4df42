// tests/dtest/twice.rs

use dunit::prelude::*;

use crate::subject::newtype_unbounded;

/// Reaches src/newtype_unbounded.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Twice")]
fn runs() {
    let m = int(3);

    let result = newtype_unbounded::twice(&m);

    expect_eq!(
        result,
        int(6),
        "src/newtype_unbounded.dfy:3:10: Twice by Dafny's semantics",
    );
}
