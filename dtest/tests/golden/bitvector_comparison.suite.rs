// tests/dtest/below.rs

use dunit::prelude::*;

use crate::subject::bitvector_comparison;

/// Reaches src/bitvector_comparison.dfy:2:12: `a < b` holds, so the next operand is evaluated (block 2 of 2); also block 1.
/// Path: a < b.
#[dunit(unit = "Below")]
fn when_a_is_less_than_b() {
    let a = Bv::<8>::from(0);
    let b = Bv::<8>::from(229);

    let result = bitvector_comparison::below(&a, &b);

    expect_eq!(
        result,
        false,
        "src/bitvector_comparison.dfy:1:11: Below by Dafny's semantics",
    );
}
