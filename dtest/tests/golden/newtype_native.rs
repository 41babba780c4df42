use dunit::prelude::*;

/// From src/newtype_native.dfy:1.
pub type Byte = u8;

/// From src/newtype_native.dfy:3.
pub fn half(b: Byte) -> Byte {
    b.divide(2)
}
