use dunit::prelude::*;

/// From src/match_int_literal.dfy:1.
pub fn is_zero(n: &Int) -> bool {
    match n {
        value if *value == int(0) => true,
        _ => false,
    }
}
