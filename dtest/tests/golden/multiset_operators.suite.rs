// tests/dtest/bag.rs

use dunit::prelude::*;

use crate::subject::multiset_operators;

/// Reaches src/multiset_operators.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Bag")]
fn runs() {
    let s = seq![int(2), int(3), int(5)];

    let result = multiset_operators::bag(&s);

    expect_eq!(
        result,
        multiset![int(0), int(0), int(2), int(3), int(5)],
        "src/multiset_operators.dfy:1:10: Bag by Dafny's semantics",
    );
}
