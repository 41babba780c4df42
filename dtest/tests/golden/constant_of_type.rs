use dunit::prelude::*;

/// From src/constant_of_type.dfy:1.
pub fn names() -> Seq<Seq<Char>> {
    seq![str("a"), str("b")]
}

/// From src/constant_of_type.dfy:3.
pub fn name() -> Seq<Char> {
    names()[1].clone()
}
