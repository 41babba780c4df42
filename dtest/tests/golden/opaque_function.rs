use dunit::prelude::*;

/// From src/opaque_function.dfy:1.
pub fn secret(n: &Int) -> Int {
    n + 42
}

/// ```dafny
/// ensures r == 43
/// ```
///
/// From src/opaque_function.dfy:5.
pub fn revealed() -> Int {
    secret(&int(1))
}
