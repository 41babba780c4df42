use dunit::prelude::*;

/// From src/sequence_concatenation.dfy:1.
pub fn doubled(s: &Seq<Int>) -> Seq<Int> {
    s + s
}
