use dunit::prelude::*;

/// From src/lemma_erased.dfy:6.
pub fn squared(n: &Int) -> Int {
    n * n
}
