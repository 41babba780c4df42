use dunit::prelude::*;

/// ```dafny
/// ensures fresh(a) && a.Length == n
/// ```
///
/// From src/array_new.dfy:1.
pub fn zeros(n: &Int) -> Array<Int> {
    let init = Fun1::new(|_blank: &Int| int(0));
    Array::init(n, |i| init.call(i))
}
