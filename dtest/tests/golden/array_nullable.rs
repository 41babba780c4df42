use dunit::prelude::*;

/// From src/array_nullable.dfy:1.
pub fn size(a: &Array<Int>) -> Int {
    if a.is_null() {
        return int(-1);
    }
    a.len()
}
