use dunit::prelude::*;

/// From src/for_loop_up.dfy:1.
pub fn last(n: &Int) -> Int {
    let mut r = int(0);
    for i in range(0, n.clone()) {
        r = i;
    }
    r
}
