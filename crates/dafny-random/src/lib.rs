//! Random well-typed Dafny programs: a seed goes in ([`program`]), a text comes out, the same always. And what is looked for once one of them
//! shows something: a smaller program that shows it still ([`reduce`] by lines, [`reduce_tree`] by what stands in them).
//!
//! None knows what programs are held against; no file and no clock is read.
#![deny(missing_docs)]

mod generate;
mod profile;
mod reduce;
mod tree;

pub use generate::{Shape, program};
pub use profile::Profile;
pub use reduce::reduce;
pub use tree::reduce_tree;
