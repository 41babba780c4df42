use dunit::prelude::*;

/// ```dafny
/// requires b > 0
/// ensures a == q * b + r && 0 <= r < b
/// ```
///
/// From src/multiple_results.dfy:1.
pub fn div_mod(a: &Int, b: &Int) -> (Int, Int) {
    let q = a / b;
    let r = a % b;
    (q, r)
}
