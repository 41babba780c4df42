use dunit::prelude::*;

/// From src/quantifier_over_map.dfy:1.
pub fn identity(m: &Map<Int, Int>) -> bool {
    m.keys().iter().all(|k| m[k] == *k)
}
