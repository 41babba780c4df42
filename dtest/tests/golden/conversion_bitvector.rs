use dunit::prelude::*;

/// From src/conversion_bitvector.dfy:1.
pub fn wide(a: &Bv<8>) -> Bv<16> {
    a.to_width::<16>() << int(8)
}
