use dunit::prelude::*;

/// From src/halt_by_expect.dfy:1.
pub fn small(n: &Int) -> Int {
    if *n >= 5 && true {
        halt("expectation violation", "src/halt_by_expect.dfy(3,4)");
    }
    n.clone()
}
