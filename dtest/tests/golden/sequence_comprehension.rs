use dunit::prelude::*;

/// From src/sequence_comprehension.dfy:1.
pub fn squares(n: &Int) -> Seq<Int> {
    Seq::init(n, |i: &Int| i * i)
}
