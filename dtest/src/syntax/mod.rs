//! Text → tokens → parsed tree, and back.

pub mod ast;
pub mod erase;
mod lexer;
mod literal;
#[cfg(test)]
pub(crate) mod mutation;
pub mod options;
mod parser;
pub mod printer;
mod token;

pub use lexer::{Lexed, lex};
pub use parser::{MAX_DEPTH, MAX_ERRORS, Options, QuantifierSyntax, parse, parse_with};
pub use printer::{expr_to_string, file_to_string};
pub use token::{KEYWORD_TEXTS, Token, TokenKind};
