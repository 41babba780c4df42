use dunit::prelude::*;

/// ```dafny
/// ensures |s| == n
/// ensures forall x | x in s :: x == 0
/// ```
///
/// From src/postcondition_with_quantifier.dfy:1.
pub fn zeros(n: &Int) -> Seq<Int> {
    Seq::init(n, |_blank: &Int| int(0))
}
