use dunit::prelude::*;

/// From src/map_display.dfy:1.
pub fn names() -> Map<Int, Seq<Char>> {
    Map::from_iter([(int(1), str("one")), (int(2), str("two"))])
}
