//! The library behind `cargo dtest`: from Dafny programs to Rust test suites.
//!
//! Data goes one way, top to bottom; no stage imports a later one. See `ARCHITECTURE.md`.

pub mod cli;
pub mod describe;
pub mod diagnostic;
pub mod emit;
pub mod encode;
pub mod exit_code;
pub mod interp;
pub mod ir;
pub mod lower;
pub mod pipeline;
pub mod report;
pub mod resolve;
pub mod search;
pub mod smt;
pub mod source;
pub mod syntax;
pub mod typed;
pub mod value;
