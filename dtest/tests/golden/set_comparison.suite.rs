// tests/dtest/inside.rs

use dunit::prelude::*;

use crate::subject::set_comparison;

/// Reaches src/set_comparison.dfy:2:13: `a <= b` holds, so the next operand is evaluated (block 2 of 2); also block 1.
/// Path: a <= b.
#[dunit(unit = "Inside")]
fn when_a_is_at_most_b() {
    let a = set![int(1), int(2), int(4)];
    let b = set![int(1), int(2), int(4)];

    let result = set_comparison::inside(&a, &b);

    expect_eq!(
        result,
        true,
        "src/set_comparison.dfy:1:11: Inside by Dafny's semantics",
    );
}
