use dunit::prelude::*;

/// ```dafny
/// ensures r == 2 * n
/// ```
///
/// From src/calc_erased.dfy:1.
pub fn doubled(n: &Int) -> Int {
    n + n
}
