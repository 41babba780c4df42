use dunit::prelude::*;

/// ```dafny
/// ensures a[..] == [2, 3, 5]
/// ```
///
/// From src/array_display.dfy:1.
pub fn primes() -> Array<Int> {
    Array::<Int>::of([int(2), int(3), int(5)])
}
