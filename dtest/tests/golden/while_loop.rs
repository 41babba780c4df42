use dunit::prelude::*;

/// From src/while_loop.dfy:1.
pub fn sum(n: &Int) -> Int {
    let mut s = int(0);
    let mut i = int(0);
    while i < *n {
        i += 1;
        s += &i;
    }
    s
}
