use dunit::prelude::*;

/// From src/subset_type_test.dfy:2.
pub type Positive = Int;

/// From src/subset_type_test.dfy:4.
pub fn checked(n: &Int) -> Positive {
    if {
        let value = n.clone();
        value > 0
    } {
        n.clone()
    } else {
        int(1)
    }
}
