use dunit::prelude::*;

/// From src/set_display.dfy:1.
pub fn both(a: &Int, b: &Int) -> Set<Int> {
    set![a.clone(), b.clone()]
}
