use dunit::prelude::*;

/// ```dafny
/// requires |s| > 1
/// ```
///
/// From src/sequence_update.dfy:1.
pub fn replaced(s: &Seq<Int>) -> Seq<Int> {
    s.update(1, int(7))
}
