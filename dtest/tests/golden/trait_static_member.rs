use dunit::prelude::*;

/// From src/trait_static_member.dfy:1.
pub trait Factory: Dynamic {}

impl dyn Factory {
    /// From src/trait_static_member.dfy:2.
    pub fn default() -> Int {
        int(3)
    }
}

/// From src/trait_static_member.dfy:7.
pub fn made() -> Int {
    <dyn Factory>::default()
}
