use dunit::prelude::*;

/// From src/mutual_recursion.dfy:1.
pub fn even(n: &Int) -> bool {
    *n == 0 || odd(&(n - 1))
}

/// From src/mutual_recursion.dfy:5.
pub fn odd(n: &Int) -> bool {
    *n != 0 && even(&(n - 1))
}
