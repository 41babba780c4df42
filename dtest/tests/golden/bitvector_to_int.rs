use dunit::prelude::*;

/// From src/bitvector_to_int.dfy:1.
pub fn value(a: &Bv<8>) -> Int {
    a.to_int() + 1
}
