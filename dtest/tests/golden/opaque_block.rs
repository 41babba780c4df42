use dunit::prelude::*;

/// ```dafny
/// ensures r >= n
/// ```
///
/// From src/opaque_block.dfy:1.
pub fn sum(n: &Int) -> Int {
    let mut r = n.clone();
    r += 1;
    r
}
