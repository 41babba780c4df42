use dunit::prelude::*;

/// From src/unicode_char_off.dfy:2.
pub fn units() -> Int {
    str16("😀").len()
}
