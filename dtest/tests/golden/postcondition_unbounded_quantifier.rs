use dunit::prelude::*;

/// ```dafny
/// ensures forall x: int :: x > r ==> x > a && x > b
/// ```
///
/// From src/postcondition_unbounded_quantifier.dfy:1.
pub fn largest(a: &Int, b: &Int) -> Int {
    if a > b { a.clone() } else { b.clone() }
}
