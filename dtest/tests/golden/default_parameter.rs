use dunit::prelude::*;

/// From src/default_parameter.dfy:1.
pub fn scaled(n: &Int, factor: &Int) -> Int {
    n * factor
}

/// From src/default_parameter.dfy:5.
pub fn tenfold(n: &Int) -> Int {
    scaled(n, &int(10)) + scaled(n, &int(2))
}
