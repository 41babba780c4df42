// tests/dtest/countdown.rs

use dunit::prelude::*;

use crate::subject::for_loop_down;

/// Reaches src/for_loop_down.dfy:5:4: the loop `i := n downto 0` runs to completion (block 3 of 3); also blocks 1, 2.
/// Path: loop i := n downto 0 ends.
#[dunit(unit = "Countdown")]
fn after_i_n_downto_0() {
    let n = int(3);
    require!(0 <= n, "src/for_loop_down.dfy:1:18: n is a nat");

    let s = for_loop_down::countdown(&n);

    expect_eq!(
        s,
        seq![int(2), int(1), int(0)],
        "src/for_loop_down.dfy:1:8: Countdown by Dafny's semantics",
    );
    expect!(s.iter().all(|e| 0 <= *e), "src/for_loop_down.dfy:1:35: s is a seq<nat>");
}
