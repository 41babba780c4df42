use dunit::prelude::*;

/// From src/ghost_variable_erased.dfy:1.
pub fn steps(n: &Int) -> Int {
    n + 1
}
