use dunit::prelude::*;

/// ```dafny
/// ensures r == n || r == -n
/// ```
///
/// From src/nondeterministic_if.dfy:1.
pub fn flip(n: &Int) -> Int {
    if true { n.clone() } else { -n }
}
