use dunit::prelude::*;

/// From src/set_comprehension.dfy:1.
pub fn evens(n: &Int) -> Set<Int> {
    Set::from_iter(range(0, n).filter(|x| x % 2 == 0))
}
