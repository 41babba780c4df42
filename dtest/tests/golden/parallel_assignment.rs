use dunit::prelude::*;

/// From src/parallel_assignment.dfy:1.
pub fn swap(a: &Int, b: &Int) -> (Int, Int) {
    let mut x = a.clone();
    let mut y = b.clone();
    (x, y) = (y, x);
    (x, y)
}
