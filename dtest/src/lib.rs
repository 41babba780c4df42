//! The library behind `cargo dtest`: from Dafny programs to Rust test suites.
//! Data flows one way through the stages, and no stage imports a later one: `ARCHITECTURE.md` shows the order. The stages are separate
//! crates (`dafny-syntax`, `dafny-resolve`, `dtest-engine`, `dtest-emit`); this crate connects them ([`pipeline`]), reports their
//! results ([`report`]), and has the command line ([`cli`]).

pub mod cli;
pub mod exit_code;
pub mod lsp;
pub mod pipeline;
pub mod report;
#[cfg(unix)]
pub mod signals;
