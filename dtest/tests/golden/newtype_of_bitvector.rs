use dunit::prelude::*;

/// From src/newtype_of_bitvector.dfy:2.
pub type Flags = Bv<8>;

/// From src/newtype_of_bitvector.dfy:4.
pub fn clear(f: &Flags) -> Bv<8> {
    f & Bv::<8>::from(15)
}
