// tests/dtest/abs.rs

use dunit::prelude::*;

use crate::subject::postcondition_of_function;

/// Reaches src/postcondition_of_function.dfy:5:17: `n < 0` holds (block 2 of 3); also block 1.
/// Path: n < 0.
#[dunit(unit = "Abs")]
fn when_n_is_less_than_0() {
    let n = int(-1);

    let r = postcondition_of_function::abs(&n);

    expect_eq!(
        r,
        int(1),
        "src/postcondition_of_function.dfy:1:10: Abs by Dafny's semantics",
    );
    expect!(r >= 0, "src/postcondition_of_function.dfy:2:11: r >= 0");
    expect!(
        r == n || r == -&n,
        "src/postcondition_of_function.dfy:3:11: r == n || r == -n",
    );
}

/// Reaches src/postcondition_of_function.dfy:5:25: `n < 0` does not hold (block 3 of 3); also block 1.
/// Path: n >= 0.
#[dunit(unit = "Abs")]
fn when_n_is_at_least_0() {
    let n = int(3);

    let r = postcondition_of_function::abs(&n);

    expect_eq!(
        r,
        int(3),
        "src/postcondition_of_function.dfy:1:10: Abs by Dafny's semantics",
    );
    expect!(r >= 0, "src/postcondition_of_function.dfy:2:11: r >= 0");
    expect!(
        r == n || r == -&n,
        "src/postcondition_of_function.dfy:3:11: r == n || r == -n",
    );
}
