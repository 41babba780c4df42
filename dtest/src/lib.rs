//! The library behind `cargo dtest`: from Dafny programs to Rust test suites.
//!
//! Data goes one way through the stages, and no stage imports a later one: `ARCHITECTURE.md` shows the order.

pub mod cli;
pub mod describe;
pub mod diagnostic;
pub mod emit;
pub mod encode;
pub mod exit_code;
pub mod interp;
pub mod ir;
pub mod lower;
pub mod memory;
pub mod pipeline;
pub mod portable;
pub mod report;
pub mod resolve;
pub mod search;
#[cfg(unix)]
pub mod signals;
pub mod smt;
pub mod source;
pub mod syntax;
#[cfg(test)]
mod testing;
pub mod typed;
pub mod value;
