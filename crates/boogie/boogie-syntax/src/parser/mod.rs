//! The parser, which converts tokens to the syntax tree.
//!
//! It is a recursive-descent parser with one function per production. A production that fails has
//! reported a diagnostic and returns [`Failed`]; the parser then skips to the next declaration.

mod declarations;
mod expressions;
mod statements;
mod types;

use std::sync::Arc;

use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};

use crate::ast::{Attribute, Expr, ExprKind, Ident, Program};
use crate::lexer::{Token, lex};

/// The maximal nesting depth of expressions, types and statements.
pub const MAX_DEPTH: usize = 2_000;
/// The number of errors after which parsing stops.
pub const MAX_ERRORS: usize = 200;

/// Words that are not names.
const RESERVED: [&str; 40] = [
    "assert",
    "assume",
    "axiom",
    "bool",
    "break",
    "call",
    "const",
    "div",
    "else",
    "ensures",
    "exists",
    "false",
    "forall",
    "free",
    "function",
    "goto",
    "havoc",
    "if",
    "implementation",
    "int",
    "invariant",
    "lambda",
    "mod",
    "modifies",
    "old",
    "procedure",
    "real",
    "requires",
    "return",
    "returns",
    "then",
    "true",
    "type",
    "unique",
    "var",
    "where",
    "while",
    "RNE",
    "RNA",
    "RTP",
];

/// Words that begin a declaration.
const DECLARATIONS: [&str; 9] = [
    "type",
    "const",
    "function",
    "axiom",
    "var",
    "procedure",
    "implementation",
    "datatype",
    "revealed",
];

/// Parses a text whose first byte has the position `base`.
///
/// Declarations with syntax errors are reported and omitted; they do not prevent the rest from
/// being parsed.
pub fn parse(base: u32, text: &str) -> (Program, Vec<Diagnostic>) {
    let (tokens, diagnostics) = lex(base, text);
    let mut parser = Parser {
        base,
        text,
        tokens,
        at: 0,
        depth: 0,
        diagnostics,
    };
    let mut program = Program::default();
    while !parser.is_end() && parser.diagnostics.len() < MAX_ERRORS {
        let start = parser.at;
        if parser.top(&mut program.decls).is_err() {
            parser.recover(start);
        }
    }
    (program, parser.diagnostics)
}

/// The failure of a production, which has reported a diagnostic.
pub(super) struct Failed;
pub(super) type Parsed<T> = Result<T, Failed>;

pub(super) struct Parser<'a> {
    base: u32,
    text: &'a str,
    tokens: Vec<(Token, Span)>,
    at: usize,
    depth: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Parser<'_> {
    fn token_at(&self, ahead: usize) -> (Token, Span) {
        let last = self.tokens.len().saturating_sub(1);
        self.tokens
            .get((self.at + ahead).min(last))
            .copied()
            .unwrap_or((Token::Eof, Span::default()))
    }

    fn token(&self) -> Token {
        self.token_at(0).0
    }

    fn span(&self) -> Span {
        self.token_at(0).1
    }

    fn previous(&self) -> Span {
        self.at
            .checked_sub(1)
            .and_then(|i| self.tokens.get(i))
            .map_or_else(Span::default, |t| t.1)
    }

    fn text_of(&self, span: Span) -> &str {
        self.text
            .get((span.start - self.base) as usize..(span.end - self.base) as usize)
            .unwrap_or("")
    }

    fn word_at(&self, ahead: usize) -> &str {
        match self.token_at(ahead) {
            (Token::Word, span) => self.text_of(span),
            _ => "",
        }
    }

    fn is_end(&self) -> bool {
        self.token() == Token::Eof
    }

    fn bump(&mut self) -> Span {
        let span = self.span();
        self.at = (self.at + 1).min(self.tokens.len());
        span
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.token(), Token::Sym(s) if s == symbol)
    }

    fn is_at(&self, ahead: usize, symbol: &str) -> bool {
        matches!(self.token_at(ahead).0, Token::Sym(s) if s == symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        self.word_at(0) == word
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        if found {
            self.bump();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::error("boogie/syntax", span, message));
    }

    fn fail<T>(&mut self, message: impl Into<String>) -> Parsed<T> {
        // The lexer has already reported the bad token.
        if self.token() != Token::Bad {
            let span = self.span();
            self.error(span, message);
        }
        Err(Failed)
    }

    fn found(&self) -> String {
        match self.token() {
            Token::Eof => "the end of the file".to_owned(),
            Token::Word
            | Token::Digits
            | Token::Bv
            | Token::Decimal
            | Token::Float
            | Token::Str
            | Token::Sym(_)
            | Token::Bad => {
                format!("`{}`", self.text_of(self.span()))
            }
        }
    }

    fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        let found = self.found();
        self.fail(format!("expected {what}, found {found}"))
    }

    fn expect(&mut self, symbol: &str) -> Parsed<Span> {
        if self.is(symbol) {
            Ok(self.bump())
        } else {
            self.expected(&format!("`{symbol}`"))
        }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<Span> {
        if self.is_word(word) {
            Ok(self.bump())
        } else {
            self.expected(&format!("`{word}`"))
        }
    }

    fn is_ident_at(&self, ahead: usize) -> bool {
        let word = self.word_at(ahead);
        !word.is_empty() && !RESERVED.contains(&word)
    }

    fn ident(&mut self) -> Parsed<Ident> {
        if !self.is_ident_at(0) {
            return self.expected("a name");
        }
        let span = self.bump();
        Ok(Ident {
            name: self.name(span),
            span,
        })
    }

    fn name(&self, span: Span) -> Name {
        let text = self.text_of(span);
        Arc::from(text.strip_prefix('\\').unwrap_or(text))
    }

    fn idents(&mut self) -> Parsed<Vec<Ident>> {
        let mut out = vec![self.ident()?];
        while self.eat(",") {
            out.push(self.ident()?);
        }
        Ok(out)
    }

    /// Parses optional type parameters, `<a, b>`.
    fn type_params(&mut self) -> Parsed<Vec<Ident>> {
        if !self.eat("<") {
            return Ok(Vec::new());
        }
        let out = self.idents()?;
        self.expect(">")?;
        Ok(out)
    }

    /// Runs a production one level deeper, with an explicit limit instead of a stack overflow.
    fn nested<T>(&mut self, production: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.fail(format!("this is nested more than {MAX_DEPTH} levels deep"));
        }
        self.depth += 1;
        let result = stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || production(self));
        self.depth -= 1;
        result
    }

    /// Skips to the next declaration after an error.
    fn recover(&mut self, start: usize) {
        if self.at == start {
            self.bump();
        }
        // A word in the body of the broken declaration may look like the beginning of another one,
        // so only beginnings of lines count.
        while !(self.is_end() || DECLARATIONS.contains(&self.word_at(0)) && self.begins_line()) {
            self.bump();
        }
    }

    fn begins_line(&self) -> bool {
        let at = (self.span().start - self.base) as usize;
        let before = self.text.get(..at).unwrap_or("");
        before.is_empty()
            || before.ends_with('\n')
            || before.ends_with("; ")
            || before.ends_with("} ")
    }

    /// Parses optional attributes.
    fn attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let mut out = Vec::new();
        while self.is("{") {
            if !self.is_at(1, ":") {
                let span = self.span();
                self.error(span, "a trigger is not allowed here, only attributes are");
                self.bump();
                self.expressions()?;
                self.expect("}")?;
                continue;
            }
            let (attribute, _) = self.attribute()?;
            if &*attribute.name.name == "nopats" {
                let span = attribute.name.span;
                self.error(span, "a trigger is not allowed here, only attributes are");
            }
            out.push(attribute);
        }
        Ok(out)
    }

    /// Parses attributes before a block, which begins at a `{` without a colon.
    fn attributes_only(&mut self) -> Parsed<Vec<Attribute>> {
        let mut out = Vec::new();
        while self.is("{") && self.is_at(1, ":") {
            out.push(self.attribute()?.0);
        }
        Ok(out)
    }

    fn attribute(&mut self) -> Parsed<(Attribute, Span)> {
        let start = self.expect("{")?;
        self.expect(":")?;
        let span = self.span();
        if self.token() != Token::Word {
            return self.expected("the name of an attribute");
        }
        self.bump();
        let name = Ident {
            name: self.name(span),
            span,
        };
        let mut args = Vec::new();
        if !self.is("}") {
            args.push(self.attribute_argument()?);
            while self.eat(",") {
                args.push(self.attribute_argument()?);
            }
        }
        let end = self.expect("}")?;
        Ok((Attribute { name, args }, start.to(end)))
    }

    fn attribute_argument(&mut self) -> Parsed<Expr> {
        if self.token() == Token::Str && (self.is_at(1, ",") || self.is_at(1, "}")) {
            let span = self.bump();
            return Ok(Expr {
                kind: ExprKind::String(self.unquoted(span)),
                span,
            });
        }
        self.expression()
    }

    fn unquoted(&self, span: Span) -> Name {
        Arc::from(self.text_of(span).trim_matches('"').replace("\\\"", "\""))
    }
}

#[cfg(test)]
mod tests;
