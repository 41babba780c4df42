//! Boogie programs: a product of its own beside the one for Dafny programs. It has its own front
//! end, machine and reports; only the command line is shared.
//!
//! [`command::run`] is its only entry point.

pub mod command;
mod pipeline;
mod report;
