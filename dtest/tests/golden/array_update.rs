use dunit::prelude::*;

/// ```dafny
/// requires i < a.Length
/// ensures a[..] == old(a[..])[i := x]
/// ```
///
/// From src/array_update.dfy:1.
pub fn store(a: &Array<Int>, i: &Int, x: &Int) {
    a.set(i, x.clone());
}
