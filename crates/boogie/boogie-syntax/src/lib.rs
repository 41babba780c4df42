//! The syntax of the Boogie language: lexer, parser and syntax tree, from the Boogie 2 of 2008 to
//! the output of Dafny 4 with `--bprint`.
//!
//! The input is a text and its start position in a [`dafny_source::SourceMap`]; the result
//! is an [`ast::Program`] and diagnostics. [`parse`] is the entry point. The crate reads no files,
//! prints nothing, and does not panic on any text, however deeply nested. The concurrent extension
//! (CIVL) is recognised and rejected.
//!
//! # Example
//!
//! ```
//! let (program, diagnostics) = boogie_syntax::parse(0, "procedure P(x: int) returns (y: int) ensures y > x; { y := x + 1; }");
//! assert!(diagnostics.is_empty());
//! assert_eq!(program.decls.len(), 1);
//!
//! // After a syntax error, parsing continues with the next declaration.
//! let (program, diagnostics) = boogie_syntax::parse(0, "axiom 1 +; const c: int;");
//! assert_eq!(diagnostics.len(), 1);
//! assert_eq!(program.decls.len(), 1);
//! ```
#![deny(missing_docs)]
// Tests may use wildcards: they print nodes without a notation of their own as they are.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

pub mod ast;
mod lexer;
mod parser;
#[cfg(test)]
mod test_support;

pub use parser::{MAX_DEPTH, MAX_ERRORS, parse};
