use dunit::prelude::*;

/// From src/map_difference.dfy:1.
pub fn without(m: &Map<Int, Int>, keys: &Set<Int>) -> Map<Int, Int> {
    m - keys
}
