use dunit::prelude::*;

/// ```dafny
/// requires x == x.Floor as real
/// ```
///
/// From src/conversion_real_int.dfy:1.
pub fn truncated(x: &Real) -> Int {
    x.to_int()
}
