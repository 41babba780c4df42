use dunit::prelude::*;

/// ```dafny
/// requires n < 0
/// ```
///
/// From src/int_negative_modulo.dfy:1.
pub fn remainder(n: &Int) -> Int {
    n % 5
}
