use dunit::prelude::*;

/// From src/coverage_path.dfy:2.
pub fn steps(a: bool, b: bool) -> Int {
    let mut n = int(0);
    if a {
        n += 1;
    }
    if b {
        n += 2;
    }
    n
}
