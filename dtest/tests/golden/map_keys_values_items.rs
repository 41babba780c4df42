use dunit::prelude::*;

/// From src/map_keys_values_items.dfy:1.
pub fn parts(m: &Map<Int, Char>) -> (Set<Int>, Set<Char>, Set<(Int, Char)>) {
    (m.keys(), m.values(), m.items())
}
