// tests/dtest/flip.rs

use dunit::prelude::*;

use crate::subject::nondeterministic_if;

/// Reaches src/nondeterministic_if.dfy:4:8: `if *` holds (block 2 of 3); also block 1.
/// Path: if *.
#[dunit(unit = "Flip")]
fn when_if_star() {
    let n = int(3);

    let r = nondeterministic_if::flip(&n);

    expect!(r == n || r == -&n, "src/nondeterministic_if.dfy:2:11: r == n || r == -n");
}
