// tests/dtest/count.rs

use dunit::prelude::*;

use crate::subject::multiset_multiplicity;

/// Reaches src/multiset_multiplicity.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Count")]
fn runs() {
    let m = multiset![ch('a'), ch('a')];

    let result = multiset_multiplicity::count(&m);

    expect_eq!(
        result,
        int(2),
        "src/multiset_multiplicity.dfy:1:10: Count by Dafny's semantics",
    );
    expect!(0 <= result, "src/multiset_multiplicity.dfy:1:10: the result is a nat");
}
