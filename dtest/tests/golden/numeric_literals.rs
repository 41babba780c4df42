use dunit::prelude::*;

/// From src/numeric_literals.dfy:1.
pub fn literals() -> (Int, Int, Real) {
    (int(1000000), int(255), real("12.5"))
}
