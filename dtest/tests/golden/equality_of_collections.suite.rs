// tests/dtest/same.rs

use dunit::prelude::*;

use crate::subject::equality_of_collections;

/// Reaches src/equality_of_collections.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Same")]
fn runs() {
    let a = seq![int(2), int(3), int(5)];
    let b = multiset![int(2), int(3), int(5)];

    let result = equality_of_collections::same(&a, &b);

    expect_eq!(
        result,
        true,
        "src/equality_of_collections.dfy:1:11: Same by Dafny's semantics",
    );
}
