// tests/dtest/starts.rs

use dunit::prelude::*;

use crate::subject::sequence_prefix_order;

/// Reaches src/sequence_prefix_order.dfy:2:13: `s <= t` holds, so the next operand is evaluated (block 2 of 2); also block 1.
/// Path: s <= t.
#[dunit(unit = "Starts")]
fn when_s_is_at_most_t() {
    let s = str("0Z\n");
    let t = str("0Z\n");

    let result = sequence_prefix_order::starts(&s, &t);

    expect_eq!(
        result,
        false,
        "src/sequence_prefix_order.dfy:1:11: Starts by Dafny's semantics",
    );
}
