use dunit::prelude::*;

/// From src/string_verbatim.dfy:1.
pub fn path() -> Seq<Char> {
    str("C:\\temp \"quoted\"")
}
