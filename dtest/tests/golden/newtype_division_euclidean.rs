use dunit::prelude::*;

/// From src/newtype_division_euclidean.dfy:1.
pub type Long = i32;

/// From src/newtype_division_euclidean.dfy:3.
pub fn remainder(a: Long) -> Long {
    a.modulo(-7i32)
}
