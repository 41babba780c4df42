use dunit::prelude::*;

/// ```dafny
/// ensures r == n || r == -n
/// ```
///
/// From src/coverage_spec.dfy:2.
pub fn abs(n: &Int) -> Int {
    if *n < 0 { -n } else { n.clone() }
}
