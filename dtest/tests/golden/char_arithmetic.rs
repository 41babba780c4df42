use dunit::prelude::*;

/// ```dafny
/// requires 'a' <= c < 'z'
/// ```
///
/// From src/char_arithmetic.dfy:1.
pub fn next(c: Char) -> Char {
    c + Char::of_int(&int(1))
}
