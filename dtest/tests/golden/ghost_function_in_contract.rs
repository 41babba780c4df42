use dunit::prelude::*;

/// ```dafny
/// ensures r == Double(n)
/// ```
///
/// From src/ghost_function_in_contract.dfy:5.
pub fn twice(n: &Int) -> Int {
    n + n
}
