use dunit::prelude::*;

/// From src/own_test.dfy:1.
pub fn square(n: &Int) -> Int {
    n * n
}
