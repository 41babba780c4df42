use dunit::prelude::*;

/// From src/quantifier_over_set.dfy:1.
pub fn all_positive(s: &Set<Int>) -> bool {
    s.iter().all(|x| *x > 0)
}
