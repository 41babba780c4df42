use dunit::prelude::*;

/// From src/sequence_display.dfy:1.
pub fn three(n: &Int) -> Seq<Int> {
    seq![n.clone(), n + 1, n + 2]
}
