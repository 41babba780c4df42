use dunit::prelude::*;

/// From src/nat_result.dfy:1.
pub fn saturated(a: &Int, b: &Int) -> Int {
    if a < b { int(0) } else { a - b }
}
