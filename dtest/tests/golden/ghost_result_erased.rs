use dunit::prelude::*;

/// ```dafny
/// ensures r == root * root
/// ```
///
/// From src/ghost_result_erased.dfy:1.
pub fn squared(n: &Int) -> (Int, Int) {
    let r = n * n;
    let root = n.clone();
    (r, root)
}
