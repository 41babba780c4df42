// tests/dtest/without.rs

use dunit::prelude::*;

use crate::subject::map_difference;

/// Reaches src/map_difference.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Without")]
fn runs() {
    let m = map![int(2) => int(-2), int(3) => int(-1), int(5) => int(1)];
    let keys = set![int(3), int(7), int(9)];

    let result = map_difference::without(&m, &keys);

    expect_eq!(
        result,
        map![int(2) => int(-2), int(5) => int(1)],
        "src/map_difference.dfy:1:10: Without by Dafny's semantics",
    );
}
