// tests/dtest/halvings.rs

use dunit::prelude::*;

use crate::subject::while_without_decreases;

/// Reaches src/while_without_decreases.dfy:12:4: the loop is exited: `x > 1` does not hold (block 3 of 3); also blocks 1, 2.
/// Path: x <= 1.
#[dunit(unit = "Halvings")]
fn when_x_is_at_most_1() {
    let n = int(5);
    require!(0 <= n, "src/while_without_decreases.dfy:1:17: n is a nat");

    let steps = while_without_decreases::halvings(&n);

    expect_eq!(
        steps,
        int(2),
        "src/while_without_decreases.dfy:1:8: Halvings by Dafny's semantics",
    );
    expect!(0 <= steps, "src/while_without_decreases.dfy:1:34: steps is a nat");
}
