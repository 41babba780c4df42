// tests/dtest/pair.rs

use dunit::prelude::*;

use crate::subject::tuple_ghost_component;

/// Reaches src/tuple_ghost_component.dfy:1:38: the body is entered (block 1 of 1).
#[dunit(unit = "Pair")]
fn runs() {
    let n = int(3);

    let r = tuple_ghost_component::pair(&n);

    expect_eq!(
        r,
        int(3),
        "src/tuple_ghost_component.dfy:1:8: Pair by Dafny's semantics",
    );
}
