//! The library behind `cargo dtest`: from Dafny programs to Rust test suites.
//!
//! Data goes one way, top to bottom; no stage imports a later one. See `ARCHITECTURE.md`.

pub mod source;
pub mod diagnostic;
pub mod syntax;
pub mod typed;
pub mod resolve;
pub mod value;
pub mod ir;
pub mod lower;
pub mod interp;
pub mod smt;
pub mod encode;
pub mod search;
pub mod emit;
pub mod describe;
pub mod report;
pub mod pipeline;
pub mod exit_code;
pub mod cli;
