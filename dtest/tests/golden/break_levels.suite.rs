// tests/dtest/pairs.rs

use dunit::prelude::*;

use crate::subject::break_levels;

/// Reaches src/break_levels.dfy:5:21: `i + j == 2` holds (block 4 of 7); also blocks 1, 2, 3, 5, 6.
/// Path: loop i := 0 to n runs, loop j := 0 to n runs, i + j == 2.
#[dunit(unit = "Pairs")]
fn when_i_plus_j_is_2() {
    let n = int(2);
    require!(0 <= n, "src/break_levels.dfy:1:14: n is a nat");

    let count = break_levels::pairs(&n);

    expect_eq!(count, int(3), "src/break_levels.dfy:1:8: Pairs by Dafny's semantics");
    expect!(0 <= count, "src/break_levels.dfy:1:31: count is a nat");
}

/// Reaches src/break_levels.dfy:10:4: the loop `i := 0 to n` runs to completion (block 7 of 7); also blocks 1, 2, 3, 5, 6.
/// Path: i + j != 2, loop j := 0 to n ends, loop i := 0 to n ends.
#[dunit(unit = "Pairs")]
fn after_i_0_to_n() {
    let n = int(1);
    require!(0 <= n, "src/break_levels.dfy:1:14: n is a nat");

    let count = break_levels::pairs(&n);

    expect_eq!(count, int(1), "src/break_levels.dfy:1:8: Pairs by Dafny's semantics");
    expect!(0 <= count, "src/break_levels.dfy:1:31: count is a nat");
}
