use dunit::prelude::*;

/// From src/map_update.dfy:1.
pub fn put(m: &Map<Int, bool>, k: &Int) -> Map<Int, bool> {
    m.update(k.clone(), true)
}
