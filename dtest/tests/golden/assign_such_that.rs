use dunit::prelude::*;

/// ```dafny
/// ensures r > n
/// ```
///
/// From src/assign_such_that.dfy:1.
pub fn pick(n: &Int) -> Int {
    n + 1
}
