use dunit::prelude::*;

/// From src/ordinal_is_ghost.dfy:5.
pub fn kept(n: &Int) -> Int {
    n + 1
}
