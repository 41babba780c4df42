use dunit::prelude::*;

/// From src/coverage_branch.dfy:2.
pub fn positive(n: &Int) -> Int {
    let mut r = int(0);
    if *n > 0 {
        r = n.clone();
    }
    r
}
