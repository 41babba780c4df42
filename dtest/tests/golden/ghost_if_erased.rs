use dunit::prelude::*;

/// From src/ghost_if_erased.dfy:1.
pub fn kept(n: &Int) -> Int {
    n.clone()
}
