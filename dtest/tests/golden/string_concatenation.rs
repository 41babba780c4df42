use dunit::prelude::*;

/// From src/string_concatenation.dfy:1.
pub fn greeting(name: &Seq<Char>) -> Seq<Char> {
    str("Hello, ") + name + str("!")
}
