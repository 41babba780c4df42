// tests/dtest/identity.rs

use dunit::prelude::*;

use crate::subject::two_dimensional_array_new;

/// Reaches src/two_dimensional_array_new.dfy:4:54: `i == j` does not hold (block 3 of 3); also blocks 1, 2.
#[dunit(unit = "Identity")]
fn when_i_is_not_j() {
    let n = int(2);
    require!(0 <= n, "src/two_dimensional_array_new.dfy:1:17: n is a nat");

    let before = Snapshot::take();
    let m = two_dimensional_array_new::identity(&n);

    expect_eq!(
        m.length(0),
        int(2),
        "src/two_dimensional_array_new.dfy:1:8: Identity by Dafny's semantics",
    );
    expect_eq!(
        m.length(1),
        int(2),
        "src/two_dimensional_array_new.dfy:1:8: Identity by Dafny's semantics",
    );
    expect_eq!(
        m.to_seq(),
        seq![int(1), int(0), int(0), int(1)],
        "src/two_dimensional_array_new.dfy:1:8: Identity by Dafny's semantics",
    );
    expect!(
        before.is_fresh(m.identity()) && m.length(0) == n && m.length(1) == n,
        "src/two_dimensional_array_new.dfy:2:11: fresh(m) && m.Length0 == n && m.Length1 == n",
    );
}
