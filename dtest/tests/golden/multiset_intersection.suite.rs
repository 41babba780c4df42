// tests/dtest/shared.rs

use dunit::prelude::*;

use crate::subject::multiset_intersection;

/// Reaches src/multiset_intersection.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Shared")]
fn runs() {
    let a = multiset![int(0), int(1), int(2)];
    let b = multiset![int(-1), int(0), int(1)];

    let result = multiset_intersection::shared(&a, &b);

    expect_eq!(
        result,
        multiset![int(0)],
        "src/multiset_intersection.dfy:1:10: Shared by Dafny's semantics",
    );
}
