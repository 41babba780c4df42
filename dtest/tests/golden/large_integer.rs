use dunit::prelude::*;

/// From src/large_integer.dfy:1.
pub fn square() -> Int {
    int("100000000000000000000") * int("100000000000000000000")
}
