// tests/dtest/gcd.rs

use dunit::prelude::*;

use crate::subject::while_alternatives;

/// Reaches src/while_alternatives.dfy:11:4: the loop is exited: `y > x` does not hold (block 4 of 4); also blocks 1, 2, 3.
/// Path: x <= y, y <= x.
#[dunit(unit = "Gcd")]
fn when_y_is_at_most_x() {
    let a = int(2);
    let b = int(5);
    require!(0 <= a, "src/while_alternatives.dfy:1:12: a is a nat");
    require!(0 <= b, "src/while_alternatives.dfy:1:20: b is a nat");
    require!(a > 0 && b > 0, "src/while_alternatives.dfy:2:12: a > 0 && b > 0");

    let r = while_alternatives::gcd(&a, &b);

    expect_eq!(r, int(1), "src/while_alternatives.dfy:1:8: Gcd by Dafny's semantics");
    expect!(0 <= r, "src/while_alternatives.dfy:1:37: r is a nat");
}
