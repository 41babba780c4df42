// tests/dtest/sum.rs

use dunit::prelude::*;

use crate::subject::by_method;

/// Reaches src/by_method.dfy:11:4: the loop is exited: `i > 0` does not hold (block 3 of 3); also blocks 1, 2.
/// Path: i <= 0.
#[dunit(unit = "Sum")]
fn when_i_is_at_most_0() {
    let s = seq![int(7), int(2), int(3)];

    let result = by_method::sum(&s);

    expect_eq!(result, int(12), "src/by_method.dfy:1:10: Sum by Dafny's semantics");
}
