// tests/dtest/sizes.rs

use dunit::prelude::*;

use crate::subject::cardinality;

/// Reaches src/cardinality.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Sizes")]
fn runs() {
    let s = set![int(2), int(3), int(5)];
    let m = map![int(2) => int(7), int(3) => int(13), int(5) => int(11)];
    let b = multiset![int(2), int(3), int(5)];

    let result = cardinality::sizes(&s, &m, &b);

    expect_eq!(result, int(9), "src/cardinality.dfy:1:10: Sizes by Dafny's semantics");
    expect!(0 <= result, "src/cardinality.dfy:1:10: the result is a nat");
}
