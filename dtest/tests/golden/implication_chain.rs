use dunit::prelude::*;

/// From src/implication_chain.dfy:1.
pub fn chain(a: bool, b: bool, c: bool) -> bool {
    !a || (!b || c)
}
