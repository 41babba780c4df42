use dunit::prelude::*;

/// From src/infinite_map.dfy:1.
pub fn table() -> IMap<Int, Int> {
    Map::from_iter([(int(1), int(10))])
}

/// From src/infinite_map.dfy:5.
pub fn entry() -> Int {
    table()[&int(1)].clone()
}
