use dunit::prelude::*;

/// From src/boundary_value.dfy:2.
pub fn adult(age: &Int) -> bool {
    *age >= 18
}
