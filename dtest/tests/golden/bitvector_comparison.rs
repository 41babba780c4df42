use dunit::prelude::*;

/// From src/bitvector_comparison.dfy:1.
pub fn below(a: &Bv<8>, b: &Bv<8>) -> bool {
    a < b && *a != Bv::<8>::from(0)
}
