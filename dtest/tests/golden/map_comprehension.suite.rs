// tests/dtest/inverse.rs

use dunit::prelude::*;

use crate::subject::map_comprehension;

/// Reaches src/map_comprehension.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Inverse")]
fn runs() {
    let n = int(3);
    require!(0 <= n, "src/map_comprehension.dfy:1:18: n is a nat");

    let result = map_comprehension::inverse(&n);

    expect_eq!(
        result,
        map![int(-2) => int(2), int(-1) => int(1), int(0) => int(0)],
        "src/map_comprehension.dfy:1:10: Inverse by Dafny's semantics",
    );
}
