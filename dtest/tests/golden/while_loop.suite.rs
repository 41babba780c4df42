// tests/dtest/sum.rs

use dunit::prelude::*;

use crate::subject::while_loop;

/// Reaches src/while_loop.dfy:9:4: the loop is exited: `i < n` does not hold (block 3 of 3); also blocks 1, 2.
/// Path: i >= n.
#[dunit(unit = "Sum")]
fn when_i_is_at_least_n() {
    let n = int(6);
    require!(0 <= n, "src/while_loop.dfy:1:12: n is a nat");

    let s = while_loop::sum(&n);

    expect_eq!(s, int(21), "src/while_loop.dfy:1:8: Sum by Dafny's semantics");
    expect!(0 <= s, "src/while_loop.dfy:1:29: s is a nat");
}
