//! The library behind `cargo dtest`: from Dafny programs to Rust test suites.
//!
//! Data flows one way through the stages, and no stage imports a later one; `ARCHITECTURE.md` shows
//! the order. The stages are separate crates, from `dafny-syntax` to `dtest-emit`. This crate connects them ([`pipeline`]), reports their results ([`report`]), and
//! contains the command line ([`cli`]). Two products share the front end and the command line, each
//! behind one function: [`boogie::command::run`] for Boogie programs and [`fuzz::command::run`] for
//! fuzzing Dafny's tools.

// Tests are exempt: they print values that have no other notation with `Debug`.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

pub mod attempts;
pub mod boogie;
pub mod cli;
pub mod exit_code;
pub mod fuzz;
pub mod lsp;
pub mod message;
pub mod pipeline;
pub mod report;
#[cfg(unix)]
pub mod signals;
