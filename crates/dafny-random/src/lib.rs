//! Random well-typed Dafny programs: a seed determines the text of a program ([`program`]). And reduction: smaller programs that still
//! satisfy a predicate ([`reduce`] by lines, [`reduce_tree`] by parts of the parsed tree).
//!
//! It is independent of the tools that are tested; it reads no files and no clock.
#![deny(missing_docs)]
// Not in tests: they print what they have no notation for as it is.
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
