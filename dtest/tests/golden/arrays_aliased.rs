use dunit::prelude::*;

/// From src/arrays_aliased.dfy:1.
pub fn same(a: &Array<Int>, b: &Array<Int>) -> bool {
    if a == b {
        return true;
    }
    false
}
