// tests/dtest/identity.rs

use dunit::prelude::*;

use crate::subject::quantifier_over_map;

/// Reaches src/quantifier_over_map.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Identity")]
fn runs() {
    let m = map![int(2) => int(2), int(3) => int(3), int(5) => int(5)];

    let result = quantifier_over_map::identity(&m);

    expect_eq!(
        result,
        true,
        "src/quantifier_over_map.dfy:1:11: Identity by Dafny's semantics",
    );
}
