use dunit::prelude::*;

/// From src/while_without_decreases.dfy:1.
pub fn halvings(n: &Int) -> Int {
    let mut steps = int(0);
    let mut x = n.clone();
    while x > 1 {
        x /= 2;
        steps += 1;
    }
    steps
}
