use dunit::prelude::*;

/// From src/map_merge.dfy:1.
pub fn merged(m: &Map<Int, Int>, n: &Map<Int, Int>) -> Map<Int, Int> {
    m + n
}
