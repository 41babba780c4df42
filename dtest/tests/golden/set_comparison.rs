use dunit::prelude::*;

/// From src/set_comparison.dfy:1.
pub fn inside(a: &Set<Int>, b: &Set<Int>) -> bool {
    a.is_subset_of(b) && a.is_disjoint_from(&set![int(0)])
}
