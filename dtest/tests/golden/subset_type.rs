use dunit::prelude::*;

/// From src/subset_type.dfy:1.
pub type Percent = Int;

/// From src/subset_type.dfy:3.
pub fn rest(p: &Percent) -> Percent {
    100 - p
}
