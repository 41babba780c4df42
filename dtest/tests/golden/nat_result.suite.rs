// tests/dtest/saturated.rs

use dunit::prelude::*;

use crate::subject::nat_result;

/// Reaches src/nat_result.dfy:2:17: `a < b` holds (block 2 of 3); also block 1.
/// Path: a < b.
#[dunit(unit = "Saturated")]
fn when_a_is_less_than_b() {
    let a = int(0);
    let b = int(3);
    require!(0 <= a, "src/nat_result.dfy:1:20: a is a nat");
    require!(0 <= b, "src/nat_result.dfy:1:28: b is a nat");

    let result = nat_result::saturated(&a, &b);

    expect_eq!(
        result,
        int(0),
        "src/nat_result.dfy:1:10: Saturated by Dafny's semantics",
    );
    expect!(0 <= result, "src/nat_result.dfy:1:10: the result is a nat");
}

/// Reaches src/nat_result.dfy:2:24: `a < b` does not hold (block 3 of 3); also block 1.
/// Path: a >= b.
#[dunit(unit = "Saturated")]
fn when_a_is_at_least_b() {
    let a = int(5);
    let b = int(2);
    require!(0 <= a, "src/nat_result.dfy:1:20: a is a nat");
    require!(0 <= b, "src/nat_result.dfy:1:28: b is a nat");

    let result = nat_result::saturated(&a, &b);

    expect_eq!(
        result,
        int(3),
        "src/nat_result.dfy:1:10: Saturated by Dafny's semantics",
    );
    expect!(0 <= result, "src/nat_result.dfy:1:10: the result is a nat");
}
