// tests/dtest/last.rs

use dunit::prelude::*;

use crate::subject::for_loop_up;

/// Reaches src/for_loop_up.dfy:5:4: the loop `i := 0 to n` runs to completion (block 3 of 3); also blocks 1, 2.
/// Path: loop i := 0 to n ends.
#[dunit(unit = "Last")]
fn after_i_0_to_n() {
    let n = int(3);
    require!(0 <= n, "src/for_loop_up.dfy:1:13: n is a nat");

    let r = for_loop_up::last(&n);

    expect_eq!(r, int(2), "src/for_loop_up.dfy:1:8: Last by Dafny's semantics");
    expect!(0 <= r, "src/for_loop_up.dfy:1:30: r is a nat");
}
