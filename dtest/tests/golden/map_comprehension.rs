use dunit::prelude::*;

/// From src/map_comprehension.dfy:1.
pub fn inverse(n: &Int) -> Map<Int, Int> {
    Map::from_iter(range(0, n).map(|i| (-&i, i.clone())))
}
