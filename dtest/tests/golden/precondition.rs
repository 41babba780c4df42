use dunit::prelude::*;

/// ```dafny
/// requires b != 0
/// ```
///
/// From src/precondition.dfy:1.
pub fn divide(a: &Int, b: &Int) -> Int {
    a / b
}
