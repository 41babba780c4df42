// tests/dtest/loop_.rs

use dunit::prelude::*;

use crate::subject::method_without_termination;

/// Reaches src/method_without_termination.dfy:4:13: `n == 0` holds (block 2 of 3); also block 1.
/// Path: n == 0.
#[dunit(unit = "Loop")]
fn when_n_is_0() {
    let n = int(0);
    require!(0 <= n, "src/method_without_termination.dfy:1:13: n is a nat");

    let r = method_without_termination::r#loop(&n);

    expect_eq!(
        r,
        int(0),
        "src/method_without_termination.dfy:1:8: Loop by Dafny's semantics",
    );
    expect!(0 <= r, "src/method_without_termination.dfy:1:30: r is a nat");
}

/// Reaches src/method_without_termination.dfy:6:4: `n == 0` does not hold (block 3 of 3); also block 1.
/// Path: n != 0.
#[dunit(unit = "Loop")]
fn when_n_is_not_0() {
    let n = int(3);
    require!(0 <= n, "src/method_without_termination.dfy:1:13: n is a nat");

    let r = method_without_termination::r#loop(&n);

    expect_eq!(
        r,
        int(0),
        "src/method_without_termination.dfy:1:8: Loop by Dafny's semantics",
    );
    expect!(0 <= r, "src/method_without_termination.dfy:1:30: r is a nat");
}
