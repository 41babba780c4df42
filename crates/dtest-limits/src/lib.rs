//! Safety nets behind counted budgets: the clock, and the memory of the process.
//!
//! Results do not depend on them while the budgets of work (steps, terms, solver resources) hold.
//! [`clock`] is the only reader of the time, [`memory`] says whether units have to be abandoned.
#![deny(missing_docs)]
// Tests may use wildcard arms: they print values without a notation of their own in Debug form.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

pub mod clock;
pub mod memory;
#[cfg(test)]
mod tests;
