use dunit::prelude::*;

/// From src/conversion_char_int.dfy:1.
pub fn code(c: Char) -> Int {
    c.to_int()
}
