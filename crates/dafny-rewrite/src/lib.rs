//! Changes of Dafny programs that keep their meaning: a verifier, a compiler or an interpreter that treats the changed program
//! otherwise is wrong.
//!
//! A [`Mutation`] finds places in a program and changes one. A chain of them ([`Subject::chain`]) resolves the program anew after every
//! step, so that each mutation sees plain text with the resolver's facts ([`facts::Facts`]), and no program comes out that does not
//! resolve. Everything is a function of the text, the options and the seed.
//!
//! The first five mutations are those of Tee's thesis *Fuzzing the Dafny Verifier* (Imperial College, 2023), with the side conditions that
//! it leaves out: each module says which.
//!
//! The interface is not settled.
#![deny(missing_docs)]

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
