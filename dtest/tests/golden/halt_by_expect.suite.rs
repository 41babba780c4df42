// tests/dtest/small.rs

use dunit::prelude::*;

use crate::subject::halt_by_expect;

/// Reaches src/halt_by_expect.dfy:2:13: `n >= 5` holds (block 2 of 3); also block 1.
/// Path: n >= 5.
#[dunit(unit = "Small")]
fn when_n_is_at_least_5() {
    let n = int(5);

    let halt = halted(|| halt_by_expect::small(&n));

    expect_eq!(
        halt.map(|h| h.location),
        Some(String::from("src/halt_by_expect.dfy(3,4)")),
        "the `expect` that fails",
    );
}

/// Reaches src/halt_by_expect.dfy:4:4: `n >= 5` does not hold (block 3 of 3); also block 1.
/// Path: n < 5.
#[dunit(unit = "Small")]
fn when_n_is_less_than_5() {
    let n = int(4);

    let r = halt_by_expect::small(&n);

    expect_eq!(r, int(4), "src/halt_by_expect.dfy:1:8: Small by Dafny's semantics");
}
