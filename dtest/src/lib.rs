//! The library behind `cargo dtest`: from Dafny programs to Rust test suites.
//!
//! Data goes one way through the stages, and no stage imports a later one: `ARCHITECTURE.md` shows the order. The stages are crates of
//! their own (`dafny-syntax`, `dafny-resolve`, `dtest-engine`, `dtest-emit`); here is what joins them ([`pipeline`]), what is said of
//! their results ([`report`]), and the command line ([`cli`]).

pub mod cli;
pub mod exit_code;
pub mod lsp;
pub mod pipeline;
pub mod report;
#[cfg(unix)]
pub mod signals;
