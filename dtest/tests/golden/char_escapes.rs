use dunit::prelude::*;

/// From src/char_escapes.dfy:1.
pub fn lines() -> Seq<Char> {
    str("tab\t, quote\", unicode 😀\n")
}
