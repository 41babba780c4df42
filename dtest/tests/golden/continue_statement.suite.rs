// tests/dtest/odds.rs

use dunit::prelude::*;

use crate::subject::continue_statement;

/// Reaches src/continue_statement.dfy:8:4: the loop `i := 0 to n` runs to completion (block 5 of 5); also blocks 1, 2, 3, 4.
/// Path: i % 2 != 0, loop i := 0 to n ends.
#[dunit(unit = "Odds")]
fn after_i_0_to_n() {
    let n = int(1100);
    require!(0 <= n, "src/continue_statement.dfy:1:13: n is a nat");

    let count = continue_statement::odds(&n);

    expect_eq!(
        count,
        int(550),
        "src/continue_statement.dfy:1:8: Odds by Dafny's semantics",
    );
    expect!(0 <= count, "src/continue_statement.dfy:1:30: count is a nat");
}
