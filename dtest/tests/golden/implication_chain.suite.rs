// tests/dtest/chain.rs

use dunit::prelude::*;

use crate::subject::implication_chain;

/// Reaches src/implication_chain.dfy:2:15: `b` holds, so the next operand is evaluated (block 3 of 3); also blocks 1, 2.
/// Path: a, b.
#[dunit(unit = "Chain")]
fn when_b() {
    let a = true;
    let b = true;
    let c = false;

    let result = implication_chain::chain(a, b, c);

    expect_eq!(
        result,
        false,
        "src/implication_chain.dfy:1:11: Chain by Dafny's semantics",
    );
}
