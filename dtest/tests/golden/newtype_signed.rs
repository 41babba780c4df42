use dunit::prelude::*;

/// From src/newtype_signed.dfy:1.
pub type Short = i8;

/// ```dafny
/// requires b != 0
/// ```
///
/// From src/newtype_signed.dfy:3.
pub fn quotient(a: Short, b: Short) -> Int {
    a.to_int() / b.to_int()
}
