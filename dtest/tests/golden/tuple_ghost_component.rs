use dunit::prelude::*;

/// From src/tuple_ghost_component.dfy:1.
pub fn pair(n: &Int) -> Int {
    n.clone()
}
