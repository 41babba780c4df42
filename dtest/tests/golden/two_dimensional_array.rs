use dunit::prelude::*;

/// ```dafny
/// requires m.Length0 > 0 && m.Length1 > 0
/// ```
///
/// From src/two_dimensional_array.dfy:1.
pub fn corner(m: &Array2<Int>) -> Int {
    m.get((m.length(0) - 1, m.length(1) - 1))
}
