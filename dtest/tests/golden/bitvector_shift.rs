use dunit::prelude::*;

/// ```dafny
/// requires n <= 32
/// ```
///
/// From src/bitvector_shift.dfy:1.
pub fn shift(a: &Bv<32>, n: &Int) -> Bv<32> {
    a << n | a >> n
}
