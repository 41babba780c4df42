//! The Boogie language as text: lexer, parser and syntax tree, from the Boogie 2 of 2008 to what Dafny 4 prints with `--bprint`.
//!
//! What goes in is a text and the position at which it begins in a [`dafny_syntax::source::SourceMap`]; what comes out is an
//! [`ast::Program`] and diagnostics. Nothing is read from files or printed, and no text panics, however wrong or deep it is.
//! The concurrent extension (CIVL) is recognised and refused as that.
//!
//! # Example
//!
//! ```
//! let (program, diagnostics) = boogie_syntax::parse(0, "procedure P(x: int) returns (y: int) ensures y > x; { y := x + 1; }");
//! assert!(diagnostics.is_empty());
//! assert_eq!(program.decls.len(), 1);
//!
//! // A mistake costs the declaration that it stands in; what follows is still read.
//! let (program, diagnostics) = boogie_syntax::parse(0, "axiom 1 +; const c: int;");
//! assert_eq!(diagnostics.len(), 1);
//! assert_eq!(program.decls.len(), 1);
//! ```
#![deny(missing_docs)]

pub mod ast;
mod lexer;
mod parser;

pub use parser::{MAX_DEPTH, MAX_ERRORS, parse};
