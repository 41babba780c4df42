// tests/dtest/between.rs

use dunit::prelude::*;

use crate::subject::chained_comparison;

/// Reaches src/chained_comparison.dfy:2:12: `a < b` holds, so the next operand is evaluated (block 2 of 2); also block 1.
/// Path: a < b.
#[dunit(unit = "Between")]
fn when_a_is_less_than_b() {
    let a = int(0);
    let b = int(3);
    let c = int(2);

    let result = chained_comparison::between(&a, &b, &c);

    expect_eq!(
        result,
        false,
        "src/chained_comparison.dfy:1:11: Between by Dafny's semantics",
    );
}
