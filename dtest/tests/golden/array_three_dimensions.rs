use dunit::prelude::*;

/// ```dafny
/// requires a.Length0 == 1 && a.Length1 == 2 && a.Length2 == 1
/// ```
///
/// From src/array_three_dimensions.dfy:1.
pub fn size(a: &Array3<Int>) -> Int {
    a.length(0) * a.length(1) * a.length(2) + a.get((int(0), int(1), int(0)))
}
