use dunit::prelude::*;

/// From src/char_comparison.dfy:1.
pub fn letter(c: Char) -> bool {
    ch('a') <= c && c <= ch('z') || ch('A') <= c && c <= ch('Z')
}
