use dunit::prelude::*;

/// From src/set_operators.dfy:1.
pub fn symmetric(a: &Set<Int>, b: &Set<Int>) -> Set<Int> {
    a - b + (b - a)
}
