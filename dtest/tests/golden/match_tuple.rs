use dunit::prelude::*;

/// From src/match_tuple.dfy:1.
pub fn order(a: bool, b: bool) -> Int {
    match (&a, &b) {
        (true, true) => int(2),
        (false, false) => int(0),
        _ => int(1),
    }
}
