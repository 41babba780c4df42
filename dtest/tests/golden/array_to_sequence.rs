use dunit::prelude::*;

/// ```dafny
/// requires a.Length > 0
/// ```
///
/// From src/array_to_sequence.dfy:1.
pub fn tail(a: &Array<Char>) -> Seq<Char> {
    a.skip(1)
}
