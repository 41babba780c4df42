use dunit::prelude::*;

/// From src/int_division_euclidean.dfy:1.
pub fn split(n: &Int) -> (Int, Int) {
    (n / -3, n % -3)
}
