// tests/dtest/size.rs

use dunit::prelude::*;

use crate::subject::if_chain;

/// Reaches src/if_chain.dfy:2:18: `n < 10` holds (block 2 of 5); also block 1.
/// Path: n < 10.
#[dunit(unit = "Size")]
fn when_n_is_less_than_10() {
    let n = int(3);
    require!(0 <= n, "src/if_chain.dfy:1:15: n is a nat");

    let result = if_chain::size(&n);

    expect_eq!(
        result,
        str("small"),
        "src/if_chain.dfy:1:10: Size by Dafny's semantics",
    );
}

/// Reaches src/if_chain.dfy:2:47: `n < 100` holds (block 4 of 5); also blocks 1, 3.
/// Path: n >= 10, n < 100.
#[dunit(unit = "Size")]
fn when_n_is_less_than_100() {
    let n = int(10);
    require!(0 <= n, "src/if_chain.dfy:1:15: n is a nat");

    let result = if_chain::size(&n);

    expect_eq!(
        result,
        str("medium"),
        "src/if_chain.dfy:1:10: Size by Dafny's semantics",
    );
}

/// Reaches src/if_chain.dfy:2:61: `n < 100` does not hold (block 5 of 5); also blocks 1, 3.
/// Path: n >= 10, n >= 100.
#[dunit(unit = "Size")]
fn when_n_is_at_least_100() {
    let n = int(100);
    require!(0 <= n, "src/if_chain.dfy:1:15: n is a nat");

    let result = if_chain::size(&n);

    expect_eq!(
        result,
        str("large"),
        "src/if_chain.dfy:1:10: Size by Dafny's semantics",
    );
}
