use dunit::prelude::*;

/// From src/newtype_unbounded.dfy:1.
pub type Meters = Int;

/// From src/newtype_unbounded.dfy:3.
pub fn twice(m: &Meters) -> Meters {
    m * 2
}
