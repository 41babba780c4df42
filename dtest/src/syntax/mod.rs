//! Text → tokens → parsed tree, and back.

pub mod ast;
mod lexer;
mod literal;
mod parser;
mod token;

pub use lexer::{Lexed, lex};
pub use parser::{MAX_DEPTH, Options, QuantifierSyntax, parse, parse_with};
pub use token::{KEYWORD_TEXTS, Token, TokenKind};
