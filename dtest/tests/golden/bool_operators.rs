use dunit::prelude::*;

/// From src/bool_operators.dfy:1.
pub fn implies(a: bool, b: bool) -> bool {
    (!a || b) && (!a || b) && a == (b || !a)
}
