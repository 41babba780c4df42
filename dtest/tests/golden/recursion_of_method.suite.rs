// tests/dtest/factorial.rs

use dunit::prelude::*;

use crate::subject::recursion_of_method;

/// Reaches src/recursion_of_method.dfy:2:13: `n == 0` holds (block 2 of 3); also block 1.
/// Path: n == 0.
#[dunit(unit = "Factorial")]
fn when_n_is_0() {
    let n = int(0);
    require!(0 <= n, "src/recursion_of_method.dfy:1:18: n is a nat");

    let r = recursion_of_method::factorial(&n);

    expect_eq!(
        r,
        int(1),
        "src/recursion_of_method.dfy:1:8: Factorial by Dafny's semantics",
    );
    expect!(0 <= r, "src/recursion_of_method.dfy:1:35: r is a nat");
}

/// Reaches src/recursion_of_method.dfy:4:4: `n == 0` does not hold (block 3 of 3); also block 1.
/// Path: n != 0.
#[dunit(unit = "Factorial")]
fn when_n_is_not_0() {
    let n = int(6);
    require!(0 <= n, "src/recursion_of_method.dfy:1:18: n is a nat");

    let r = recursion_of_method::factorial(&n);

    expect_eq!(
        r,
        int(720),
        "src/recursion_of_method.dfy:1:8: Factorial by Dafny's semantics",
    );
    expect!(0 <= r, "src/recursion_of_method.dfy:1:35: r is a nat");
}
