use dunit::prelude::*;

/// From src/bitvector_operators.dfy:1.
pub fn mix(a: &Bv<8>, b: &Bv<8>) -> Bv<8> {
    a & b | a ^ !b
}
