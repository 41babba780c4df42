use dunit::prelude::*;

/// From src/chained_comparison.dfy:1.
pub fn between(a: &Int, b: &Int, c: &Int) -> bool {
    a < b && b <= c
}
