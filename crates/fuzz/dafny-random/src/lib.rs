//! Random well-typed Dafny programs ([`program`]), each determined by a seed, and reduction of
//! programs under a predicate ([`reduce`] by lines, [`reduce_tree`] by parts of the syntax tree).
//!
//! The crate does not depend on the tools under test, and reads no files and no clock.
#![deny(missing_docs)]
// Not in tests, which print variants without a notation by `{:?}`.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

mod generate;
mod profile;
mod reduce;
mod tree;

pub use generate::{Shape, program};
pub use profile::Profile;
pub use reduce::reduce;
pub use tree::reduce_tree;
