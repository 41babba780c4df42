//! Equivalence-preserving rewriting of Dafny programs, to test verifiers, compilers and
//! interpreters: treating the rewritten program differently is a bug.
//!
//! A [`Mutation`] finds places in a program and changes one of them. A chain of mutations
//! ([`Subject::chain`]) resolves the program again after every step. Each mutation thus works on
//! plain text with the resolver's facts ([`facts::Facts`]), and every result resolves. Everything
//! is a function of the text, the options and the seed.
//!
//! The first five mutations are those of Tee's thesis *Fuzzing the Dafny Verifier* (Imperial
//! College, 2023), with side conditions that the thesis omits and that each module states.
//!
//! The interface is unstable.
#![deny(missing_docs)]
// Not in tests, which print variants without a notation by `{:?}`.
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
