use dunit::prelude::*;

/// From src/attributes_of_the_verifier.dfy:1.
pub fn same(n: &Int) -> Int {
    n.clone()
}
