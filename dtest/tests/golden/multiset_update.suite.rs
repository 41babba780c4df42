// tests/dtest/set.rs

use dunit::prelude::*;

use crate::subject::multiset_update;

/// Reaches src/multiset_update.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Set")]
fn runs() {
    let m = multiset![int(2), int(3), int(5)];

    let result = multiset_update::set(&m);

    expect_eq!(
        result,
        multiset![int(1), int(1), int(1), int(2), int(3), int(5)],
        "src/multiset_update.dfy:1:10: Set by Dafny's semantics",
    );
}
