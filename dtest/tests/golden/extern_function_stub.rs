use dunit::prelude::*;

/// ```dafny
/// ensures Rate(day) > 0
/// ```
///
/// From src/extern_function_stub.dfy:1.
pub fn rate(day: &Int) -> Int {
    dunit::stub::answer("Rate", &[day])
}

/// ```dafny
/// ensures r > 0
/// ```
///
/// From src/extern_function_stub.dfy:4.
pub fn price(day: &Int) -> Int {
    2 * rate(day)
}
