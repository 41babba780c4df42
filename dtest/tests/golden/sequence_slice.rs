use dunit::prelude::*;

/// ```dafny
/// requires |s| >= 2
/// ```
///
/// From src/sequence_slice.dfy:1.
pub fn middle(s: &Seq<Int>) -> Seq<Int> {
    s.slice(1, s.len() - 1)
}
