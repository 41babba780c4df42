use dunit::prelude::*;

/// ```dafny
/// requires n != 0
/// ```
///
/// From src/lambda_partial.dfy:1.
pub fn reciprocal(n: &Int) -> Int {
    let f: Fun1<Int, Int> = Fun1::new(|x: &Int| 100 / x);
    f.call(n)
}
