use dunit::prelude::*;

/// ```dafny
/// ensures value >= 0
/// ```
///
/// From src/extern_stub.dfy:1.
pub fn read() -> Int {
    dunit::stub::answer("Read", &[])
}

/// From src/extern_stub.dfy:4.
pub fn positive() -> bool {
    let v = read();
    v > 0
}
