//! Equivalence-preserving rewriting of Dafny programs: a verifier, a compiler or an interpreter that treats the rewritten program
//! differently has a bug.
//! A [`Mutation`] finds places in a program and changes one. A chain of them ([`Subject::chain`]) resolves the program again after
//! every step, so that each mutation works on plain text with the resolver's facts ([`facts::Facts`]), and every result resolves.
//! Everything is a function of the text, the options and the seed.
//!
//! The first five mutations are those of Tee's thesis *Fuzzing the Dafny Verifier* (Imperial College, 2023), with the side conditions that
//! it leaves out: each module says which.
//!
//! The interface is unstable.
#![deny(missing_docs)]
// Not in tests: they print what they have no notation for as it is.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

mod build;
mod driver;
mod edit;
pub mod facts;
mod jumps;
mod mutation;
mod mutations;
mod names;
mod random;
pub mod scan;
mod types;

pub use driver::{Chain, Dialect, Error, Rewritten, Step, Subject, draw_order, one_file};
pub use mutation::Mutation;
pub use random::Random;
