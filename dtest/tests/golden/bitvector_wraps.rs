use dunit::prelude::*;

/// From src/bitvector_wraps.dfy:1.
pub fn increment(a: &Bv<4>) -> Bv<4> {
    a + Bv::<4>::from(1)
}
