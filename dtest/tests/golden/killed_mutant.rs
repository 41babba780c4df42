use dunit::prelude::*;

/// From src/killed_mutant.dfy:2.
pub fn positive(n: &Int) -> bool {
    *n > 0
}
