use dunit::prelude::*;

/// From src/newtype_members.dfy:1.
pub type Day = u8;

/// From src/newtype_members.dfy:2.
pub fn day_is_weekend(this: Day) -> bool {
    this == 5 || this == 6
}
