//! Syntax of the Dafny language, versions 3 and 4: lexer, parser, syntax tree and printer.
//!
//! [`parse`] takes a text and its start position in a [`dafny_source::SourceMap`], and returns
//! an [`ast::File`] and [`dafny_source::diagnostic::Diagnostic`]s. The crate reads no files, prints nothing, and
//! does not panic on any text, however deeply nested.
//!
//! # Example
//!
//! ```
//! use dafny_syntax::{file_to_string, parse};
//!
//! let (file, diagnostics) = parse(0, "function   Twice(x: int): int { x+x }");
//! assert!(diagnostics.is_empty());
//! assert_eq!(file_to_string(&file), "function Twice(x: int): int {\n  x + x\n}\n");
//!
//! // After a syntax error, parsing continues with the next statement or declaration.
//! let (file, diagnostics) = parse(0, "method M() { x := ; }\nmethod N() {}");
//! assert_eq!(diagnostics.len(), 1);
//! assert_eq!(file.decls.len(), 2);
//! ```
#![deny(missing_docs)]
// Not in tests, which print variants without a notation by `{:?}`.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

pub mod ast;
pub mod erase;
mod lexer;
mod literal;
pub mod options;
mod parser;
pub mod printer;
mod token;
pub mod visit;

pub use lexer::{Lexed, lex};
pub use parser::{
    FunctionSyntax, GeneralTraits, MAX_DEPTH, MAX_ERRORS, Options, QuantifierSyntax, parse,
    parse_with,
};
pub use printer::{expr_to_string, file_to_string};
pub use token::{KEYWORD_TEXTS, Token, TokenKind};
