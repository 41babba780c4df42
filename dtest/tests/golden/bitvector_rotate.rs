use dunit::prelude::*;

/// From src/bitvector_rotate.dfy:1.
pub fn rotate(a: &Bv<16>) -> Bv<16> {
    a.rotate_left(int(3)) ^ a.rotate_right(int(5))
}
