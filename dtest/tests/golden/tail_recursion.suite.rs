// tests/dtest/count.rs

use dunit::prelude::*;

use crate::subject::tail_recursion;

/// Reaches src/tail_recursion.dfy:4:18: `n == 0` holds (block 2 of 3); also block 1.
/// Path: n == 0.
#[dunit(unit = "Count")]
fn when_n_is_0() {
    let n = int(0);
    let acc = int(0);
    require!(0 <= n, "src/tail_recursion.dfy:1:16: n is a nat");
    require!(0 <= acc, "src/tail_recursion.dfy:1:24: acc is a nat");

    let result = tail_recursion::count(&n, &acc);

    expect_eq!(
        result,
        int(0),
        "src/tail_recursion.dfy:1:10: Count by Dafny's semantics",
    );
    expect!(0 <= result, "src/tail_recursion.dfy:1:10: the result is a nat");
}

/// Reaches src/tail_recursion.dfy:4:27: `n == 0` does not hold (block 3 of 3); also block 1.
/// Path: n != 0.
#[dunit(unit = "Count")]
fn when_n_is_not_0() {
    let n = int(3);
    let acc = int(2);
    require!(0 <= n, "src/tail_recursion.dfy:1:16: n is a nat");
    require!(0 <= acc, "src/tail_recursion.dfy:1:24: acc is a nat");

    let result = tail_recursion::count(&n, &acc);

    expect_eq!(
        result,
        int(8),
        "src/tail_recursion.dfy:1:10: Count by Dafny's semantics",
    );
    expect!(0 <= result, "src/tail_recursion.dfy:1:10: the result is a nat");
}
