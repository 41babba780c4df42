use dunit::prelude::*;

/// ```dafny
/// requires n <= a.Length
/// ```
///
/// From src/array_slice.dfy:1.
pub fn part(a: &Array<Int>, n: &Int) -> Seq<Int> {
    a.skip(n) + a.take(n)
}
