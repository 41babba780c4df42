// tests/dtest/evens.rs

use dunit::prelude::*;

use crate::subject::set_comprehension;

/// Reaches src/set_comprehension.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Evens")]
fn runs() {
    let n = int(6);
    require!(0 <= n, "src/set_comprehension.dfy:1:16: n is a nat");

    let result = set_comprehension::evens(&n);

    expect_eq!(
        result,
        set![int(0), int(2), int(4)],
        "src/set_comprehension.dfy:1:10: Evens by Dafny's semantics",
    );
}
