// tests/dtest/whole.rs

use dunit::prelude::*;

use crate::subject::real_floor;

/// Reaches src/real_floor.dfy:2:3: the body is entered (block 1 of 1).
#[dunit(unit = "Whole")]
fn runs() {
    let x = real("3.5");

    let result = real_floor::whole(&x);

    expect_eq!(result, int(3), "src/real_floor.dfy:1:10: Whole by Dafny's semantics");
}
