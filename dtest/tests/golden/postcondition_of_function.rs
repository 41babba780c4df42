use dunit::prelude::*;

/// ```dafny
/// ensures r >= 0
/// ensures r == n || r == -n
/// ```
///
/// From src/postcondition_of_function.dfy:1.
pub fn abs(n: &Int) -> Int {
    if *n < 0 { -n } else { n.clone() }
}
