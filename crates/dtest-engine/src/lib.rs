//! The engine of `cargo dtest`: execution, proof and search.
//!
//! - [`lower`] turns a typed program ([`dafny_resolve::typed::Program`]) into procedures of basic
//!   blocks ([`ir`]).
//! - [`interp`] executes these procedures on concrete [`value`]s.
//! - [`encode`] translates them to terms ([`smt`]) for Z3.
//! - [`search`] combines both: test cases for goals, dead blocks, violated obligations.
//! - [`portable`] serializes the results for the cache.
//!
//! The interface belongs to the tool and changes with it: it is not stable.
//!
//! # Example
//!
//! ```
//! use std::sync::Arc;
//! use dafny_resolve::{resolve_text, typed::Options};
//! use dtest_engine::{ir::Criteria, lower, search};
//!
//! let source = "method Sign(x: int) returns (r: int) { if x < 0 { r := -1; } else { r := 1; } }";
//! let (_, program, _) = resolve_text("sign.dfy", source, Options::default());
//! let program = lower::lower_for(Arc::new(program), Criteria::default());
//! let unit = &lower::units::units(&program.typed, |_| true)[0];
//! let result = search::search_unit(&program, unit.callable, &search::Options::default());
//! assert_eq!(result.tests.len(), 2);
//! ```
#![deny(missing_docs)]
// Tests may use wildcard arms: they print values without a notation of their own in Debug form.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

pub mod clock;
pub mod describe;
pub mod encode;
pub mod interp;
pub mod ir;
pub mod lower;
pub mod memory;
pub mod mutants;
pub mod portable;
pub mod reason;
pub mod search;
pub mod smt;
#[cfg(test)]
mod testing;
pub mod value;
