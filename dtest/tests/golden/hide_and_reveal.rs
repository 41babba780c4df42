use dunit::prelude::*;

/// From src/hide_and_reveal.dfy:1.
pub fn secret(n: &Int) -> Int {
    2 * n
}

/// From src/hide_and_reveal.dfy:5.
pub fn r#use(n: &Int) -> Int {
    secret(n)
}
