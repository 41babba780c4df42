// tests/dtest/even.rs

use dunit::prelude::*;

use crate::subject::mutual_recursion;

/// Reaches src/mutual_recursion.dfy:2:13: `n == 0` does not hold, so the next operand is evaluated (block 2 of 2); also block 1.
/// Path: n != 0.
#[dunit(unit = "Even")]
fn when_n_is_not_0() {
    let n = int(3);
    require!(0 <= n, "src/mutual_recursion.dfy:1:16: n is a nat");

    let result = mutual_recursion::even(&n);

    expect_eq!(
        result,
        false,
        "src/mutual_recursion.dfy:1:11: Even by Dafny's semantics",
    );
}

// tests/dtest/odd.rs

use dunit::prelude::*;

use crate::subject::mutual_recursion;

/// Reaches src/mutual_recursion.dfy:6:13: `n != 0` holds, so the next operand is evaluated (block 2 of 2); also block 1.
/// Path: n != 0.
#[dunit(unit = "Odd")]
fn when_n_is_not_0() {
    let n = int(3);
    require!(0 <= n, "src/mutual_recursion.dfy:5:15: n is a nat");

    let result = mutual_recursion::odd(&n);

    expect_eq!(result, true, "src/mutual_recursion.dfy:5:11: Odd by Dafny's semantics");
}
