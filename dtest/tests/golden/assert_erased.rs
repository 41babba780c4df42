use dunit::prelude::*;

/// From src/assert_erased.dfy:1.
pub fn checked(n: &Int) -> Int {
    n.clone()
}
