use dunit::prelude::*;

/// From src/real_arithmetic.dfy:1.
pub fn average(a: &Real, b: &Real) -> Real {
    (a + b) / real("2.0")
}
