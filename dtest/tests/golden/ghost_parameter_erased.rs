use dunit::prelude::*;

/// ```dafny
/// requires n <= bound
/// ensures r <= bound
/// ```
///
/// From src/ghost_parameter_erased.dfy:1.
pub fn halved(n: &Int) -> Int {
    n / 2
}
