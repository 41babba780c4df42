// tests/dtest/swap.rs

use dunit::prelude::*;

use crate::subject::tuple_components;

/// Reaches src/tuple_components.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Swap")]
fn runs() {
    let p = (int(3), false);

    let result = tuple_components::swap(&p);

    expect_eq!(
        result,
        (false, int(3)),
        "src/tuple_components.dfy:1:10: Swap by Dafny's semantics",
    );
}
