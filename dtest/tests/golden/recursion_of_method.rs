use dunit::prelude::*;

/// From src/recursion_of_method.dfy:1.
pub fn factorial(n: &Int) -> Int {
    if *n == 0 {
        return int(1);
    }
    let mut r = factorial(&(n - 1));
    r = n * &r;
    r
}
