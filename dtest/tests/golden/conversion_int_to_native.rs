use dunit::prelude::*;

/// From src/conversion_int_to_native.dfy:1.
pub type Word = u32;

/// From src/conversion_int_to_native.dfy:3.
pub fn low(n: &Int) -> Word {
    (n % int(4_294_967_296_i64)).to_native::<u32>()
}
