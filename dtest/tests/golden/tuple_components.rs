use dunit::prelude::*;

/// From src/tuple_components.dfy:1.
pub fn swap(p: &(Int, bool)) -> (bool, Int) {
    (p.1, p.0.clone())
}
