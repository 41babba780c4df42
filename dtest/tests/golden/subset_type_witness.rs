use dunit::prelude::*;

/// From src/subset_type_witness.dfy:1.
pub type Odd = Int;

/// From src/subset_type_witness.dfy:3.
pub fn following(n: &Odd) -> Odd {
    n + 2
}
