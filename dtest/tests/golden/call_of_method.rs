use dunit::prelude::*;

/// ```dafny
/// ensures r == n + 1
/// ```
///
/// From src/call_of_method.dfy:1.
pub fn inner(n: &Int) -> Int {
    n + 1
}

/// ```dafny
/// ensures r == n + 2
/// ```
///
/// From src/call_of_method.dfy:7.
pub fn outer(n: &Int) -> Int {
    let mut r = inner(n);
    r = inner(&r);
    r
}
