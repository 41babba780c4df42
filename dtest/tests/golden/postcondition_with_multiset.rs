use dunit::prelude::*;

/// ```dafny
/// requires |s| == 2
/// ensures multiset(r) == multiset(s)
/// ```
///
/// From src/postcondition_with_multiset.dfy:1.
pub fn reversed(s: &Seq<Int>) -> Seq<Int> {
    seq![s[1].clone(), s[0].clone()]
}
