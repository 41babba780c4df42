use dunit::prelude::*;

/// From src/unit_value.dfy:1.
pub fn nothing(u: &()) -> () {
    u.clone()
}
