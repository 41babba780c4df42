// tests/dtest/wrapped.rs

use dunit::prelude::*;

use crate::subject::set_of_sets;

/// Reaches src/set_of_sets.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Wrapped")]
fn runs() {
    let s = set![int(2), int(3), int(5)];

    let result = set_of_sets::wrapped(&s);

    expect_eq!(
        result,
        set![Set::<Int>::new(), set![int(2), int(3), int(5)]],
        "src/set_of_sets.dfy:1:10: Wrapped by Dafny's semantics",
    );
}
