use dunit::prelude::*;

/// From src/real_floor.dfy:1.
pub fn whole(x: &Real) -> Int {
    x.floor()
}
