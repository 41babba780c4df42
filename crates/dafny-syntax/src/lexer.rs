//! The lexer (reference manual, "Lexical and Low Level Grammar").
//!
//! It never fails: text that is no token becomes [`TokenKind::Bad`] with a diagnostic. Comments are
//! dropped, except that documentation comments (`/** … */`) are recorded with the tokens that
//! follow them.

use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

use super::literal;
use super::token::{Token, TokenKind};

/// The result of lexing a text.
#[derive(Debug)]
pub struct Lexed {
    /// The tokens in source order. The last one is the only [`TokenKind::Eof`].
    pub tokens: Vec<Token>,
    /// Documentation comments: the index of the following token, and the span of the text between
    /// the delimiters.
    pub docs: Vec<(usize, Span)>,
    /// The lexical errors.
    pub diagnostics: Vec<Diagnostic>,
}

/// Splits a text into tokens. `base` is the position of its first byte.
pub fn lex(base: u32, text: &str) -> Lexed {
    let mut lexer = Lexer {
        base,
        text,
        at: 0,
        out: Lexed {
            tokens: Vec::with_capacity(text.len() / 4),
            docs: Vec::new(),
            diagnostics: Vec::new(),
        },
    };
    if text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    while lexer.next_token() {}
    lexer.out
}

struct Lexer<'a> {
    base: u32,
    text: &'a str,
    at: usize,
    out: Lexed,
}

/// The longest symbol at the start of the text, with its length.
fn symbol_at(text: &[u8]) -> Option<(TokenKind, usize)> {
    use TokenKind as T;
    Some(match text {
        // Longer symbols come before their prefixes.
        [b'<', b'=', b'=', b'>', ..] => (T::Iff, 4),
        [b'.', b'.', b'.', ..] => (T::Ellipsis, 3),
        [b'=', b'=', b'>', ..] => (T::Implies, 3),
        [b'<', b'=', b'=', ..] => (T::Explies, 3),
        [b'-', b'-', b'>', ..] => (T::PartialArrow, 3),
        [b'{', b':', ..] => (T::LBraceColon, 2),
        [b':', b':', ..] => (T::ColonColon, 2),
        [b':', b'=', ..] => (T::Gets, 2),
        [b':', b'|', ..] => (T::SuchThat, 2),
        [b':', b'-', ..] => (T::Elephant, 2),
        [b'.', b'.', ..] => (T::DotDot, 2),
        [b'=', b'=', ..] => (T::Eq, 2),
        [b'=', b'>', ..] => (T::FatArrow, 2),
        [b'<', b'=', ..] => (T::Le, 2),
        [b'>', b'=', ..] => (T::Ge, 2),
        [b'!', b'=', ..] => (T::Ne, 2),
        [b'&', b'&', ..] => (T::AndAnd, 2),
        [b'|', b'|', ..] => (T::OrOr, 2),
        [b'-', b'>', ..] => (T::Arrow, 2),
        [b'~', b'>', ..] => (T::GeneralArrow, 2),
        [b'{', ..] => (T::LBrace, 1),
        [b'}', ..] => (T::RBrace, 1),
        [b'(', ..] => (T::LParen, 1),
        [b')', ..] => (T::RParen, 1),
        [b'[', ..] => (T::LBracket, 1),
        [b']', ..] => (T::RBracket, 1),
        [b',', ..] => (T::Comma, 1),
        [b';', ..] => (T::Semi, 1),
        [b':', ..] => (T::Colon, 1),
        [b'.', ..] => (T::Dot, 1),
        [b'=', ..] => (T::SingleEq, 1),
        [b'<', ..] => (T::Lt, 1),
        [b'>', ..] => (T::Gt, 1),
        [b'!', ..] => (T::Not, 1),
        [b'+', ..] => (T::Plus, 1),
        [b'-', ..] => (T::Minus, 1),
        [b'*', ..] => (T::Star, 1),
        [b'/', ..] => (T::Slash, 1),
        [b'%', ..] => (T::Percent, 1),
        [b'&', ..] => (T::Amp, 1),
        [b'|', ..] => (T::Bar, 1),
        [b'^', ..] => (T::Caret, 1),
        [b'~', ..] => (T::Tilde, 1),
        [b'#', ..] => (T::Hash, 1),
        [b'@', ..] => (T::At, 1),
        [b'`', ..] => (T::Backtick, 1),
        _ => return None,
    })
}

/// The ASCII spelling of a character that some editors and older Dafny versions accept as an
/// operator.
fn ascii_spelling(c: char) -> Option<&'static str> {
    Some(match c {
        '∀' => "forall",
        '∃' => "exists",
        '•' => "::",
        '∧' => "&&",
        '∨' => "||",
        '¬' => "!",
        '⇒' | '⟹' => "==>",
        '⇐' | '⟸' => "<==",
        '⇔' | '⟺' => "<==>",
        '≤' => "<=",
        '≥' => ">=",
        '≠' => "!=",
        '∈' => "in",
        '∉' => "!in",
        '→' => "->",
        '“' | '”' => "\"",
        '‘' | '’' => "'",
        _ => return None,
    })
}

fn is_word_start(c: u8) -> bool {
    c.is_ascii_alphabetic() || matches!(c, b'_' | b'?' | b'\'')
}

fn is_word_part(c: u8) -> bool {
    is_word_start(c) || c.is_ascii_digit()
}

impl Lexer<'_> {
    fn byte(&self, ahead: usize) -> u8 {
        self.text
            .as_bytes()
            .get(self.at + ahead)
            .copied()
            .unwrap_or(0)
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn span(&self, from: usize, to: usize) -> Span {
        Span::new(
            self.base.saturating_add(from as u32),
            self.base.saturating_add(to as u32),
        )
    }

    fn push(&mut self, kind: TokenKind, from: usize) {
        let span = self.span(from, self.at);
        self.out.tokens.push(Token { kind, span });
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        self.out.diagnostics.push(diagnostic);
    }

    /// Reads one token or one run of white space. Returns `false` at the end.
    fn next_token(&mut self) -> bool {
        let from = self.at;
        if from >= self.text.len() {
            self.push(TokenKind::Eof, from);
            return false;
        }
        match self.byte(0) {
            b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
            b'/' if self.byte(1) == b'/' => self.line_comment(),
            b'/' if self.byte(1) == b'*' => self.block_comment(),
            b'"' => self.string(),
            b'@' if self.byte(1) == b'"' => self.verbatim_string(),
            b'\'' if self.is_character() => self.character(),
            b'0'..=b'9' => self.number(),
            // After an expression, `.5` selects a component of a tuple.
            b'.' if self.byte(1).is_ascii_digit() && !self.after_expression() => self.number(),
            b'!' if self.rest().starts_with("!in") && !is_word_part(self.byte(3)) => {
                self.at += 3;
                self.push(TokenKind::NotIn, from);
            }
            c if is_word_start(c) => self.word(),
            _ => self.symbol(),
        }
        true
    }

    fn after_expression(&self) -> bool {
        self.out
            .tokens
            .last()
            .is_some_and(|t| t.kind.may_end_expression())
    }

    fn line_comment(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    fn block_comment(&mut self) {
        let from = self.at;
        // Comments nest.
        let mut depth = 0usize;
        loop {
            match (self.byte(0), self.byte(1)) {
                (b'/', b'*') => {
                    depth += 1;
                    self.at += 2;
                }
                (b'*', b'/') => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        break;
                    }
                }
                _ if self.at >= self.text.len() => {
                    let at = self.span(from, from + 2);
                    self.error(
                        Diagnostic::warning(
                            "syntax/unterminated-comment",
                            at,
                            "unterminated comment: the rest of the file is not read",
                        )
                        .with_help("comments nest: every `/*` needs its own `*/`"),
                    );
                    return;
                }
                _ => self.at += 1,
            }
        }
        // A banner of asterisks is no documentation.
        let is_doc = self
            .text
            .get(from..)
            .is_some_and(|t| t.starts_with("/**") && !t.starts_with("/***"))
            && self.at > from + 4;
        if is_doc {
            let span = self.span(from + 3, self.at - 2);
            let next = self.out.tokens.len();
            self.out.docs.push((next, span));
        }
    }

    fn string(&mut self) {
        let from = self.at;
        self.at += 1;
        loop {
            match self.byte(0) {
                b'"' => {
                    self.at += 1;
                    break;
                }
                b'\\' => {
                    let start = self.at;
                    match literal::escape(self.rest()) {
                        Ok((_, len)) => self.at += len,
                        Err(wrong) => {
                            let end = start + wrong.len;
                            self.at = end;
                            let span = self.span(start, end);
                            self.error(wrong.diagnostic(span));
                        }
                    }
                }
                // End the token at the line break, so that the next line is lexed normally.
                b'\r' | b'\n' => return self.unterminated_string(from),
                0 if self.at >= self.text.len() => return self.unterminated_string(from),
                _ => self.at += 1,
            }
        }
        self.push(TokenKind::String, from);
    }

    fn unterminated_string(&mut self, from: usize) {
        let span = self.span(from, self.at);
        self.error(
            Diagnostic::error(
                "syntax/unterminated-string",
                span,
                "unterminated string: it must end on the line that it begins on",
            )
            .with_help(
                "end it with `\"`, or write a verbatim string `@\"…\"`, which may span lines",
            ),
        );
        self.push(TokenKind::String, from);
    }

    fn verbatim_string(&mut self) {
        let from = self.at;
        self.at += 2;
        loop {
            match (self.byte(0), self.byte(1)) {
                (b'"', b'"') => self.at += 2,
                (b'"', _) => {
                    self.at += 1;
                    break;
                }
                (0, _) if self.at >= self.text.len() => {
                    let span = self.span(from, from + 2);
                    self.error(Diagnostic::error(
                        "syntax/unterminated-string",
                        span,
                        "unterminated verbatim string",
                    ));
                    break;
                }
                _ => self.at += 1,
            }
        }
        self.push(TokenKind::VerbatimString, from);
    }

    /// Whether the apostrophe begins a character literal, and not a name such as `'x` or `'a'b`.
    fn is_character(&self) -> bool {
        let mut chars = self.rest().chars().skip(1);
        match (chars.next(), chars.next()) {
            (Some('\\'), _) => true,
            (Some('\'' | '\n' | '\r'), _) => false,
            (Some(c), Some('\'')) => {
                let names_it = u8::try_from(c).is_ok_and(is_word_part);
                !(names_it
                    && chars
                        .next()
                        .and_then(|d| u8::try_from(d).ok())
                        .is_some_and(is_word_part))
            }
            (Some(c), _) => !u8::try_from(c).is_ok_and(is_word_part),
            (None, _) => false,
        }
    }

    fn character(&mut self) {
        let from = self.at;
        self.at += 1;
        if self.byte(0) == b'\\' {
            let start = self.at;
            match literal::escape(self.rest()) {
                Ok((_, len)) => self.at += len,
                Err(wrong) => {
                    self.at += wrong.len;
                    let span = self.span(start, self.at);
                    self.error(wrong.diagnostic(span));
                }
            }
        } else {
            self.at += self.rest().chars().next().map_or(0, char::len_utf8);
        }
        if self.byte(0) == b'\'' {
            self.at += 1;
        } else {
            let span = self.span(from, self.at);
            self.error(
                Diagnostic::error("syntax/unterminated-character", span, "unterminated character literal")
                    .with_help("a character literal is one character or escape between apostrophes, such as `'a'` or `'\\n'`"),
            );
        }
        self.push(TokenKind::Char, from);
    }

    /// Consumes `digit {['_'] digit}`.
    fn digits(&mut self, is_digit: fn(&u8) -> bool) {
        while is_digit(&self.byte(0)) || (self.byte(0) == b'_' && is_digit(&self.byte(1))) {
            self.at += 1;
        }
    }

    fn number(&mut self) {
        let from = self.at;
        let is_member = self
            .out
            .tokens
            .last()
            .is_some_and(|t| t.kind == TokenKind::Dot);
        if !is_member
            && self.byte(0) == b'0'
            && self.byte(1) == b'x'
            && self.byte(2).is_ascii_hexdigit()
        {
            self.at += 2;
            self.digits(u8::is_ascii_hexdigit);
            return self.push(TokenKind::HexDigits, from);
        }
        self.digits(u8::is_ascii_digit);
        if is_member {
            return self.push(TokenKind::Digits, from);
        }
        let mut kind = TokenKind::Digits;
        if self.byte(0) == b'.' && self.byte(1).is_ascii_digit() {
            self.at += 1;
            self.digits(u8::is_ascii_digit);
            kind = TokenKind::Real;
        }
        let exponent = usize::from(self.byte(1) == b'-') + 1;
        if self.byte(0) == b'e' && self.byte(exponent).is_ascii_digit() {
            self.at += exponent;
            self.digits(u8::is_ascii_digit);
            kind = TokenKind::Real;
        }
        self.push(kind, from);
    }

    fn word(&mut self) {
        let from = self.at;
        while is_word_part(self.byte(0)) {
            self.at += 1;
        }
        let kind = TokenKind::of_word(self.text.get(from..self.at).unwrap_or(""));
        self.push(kind, from);
    }

    fn symbol(&mut self) {
        let from = self.at;
        if let Some((kind, len)) = self.text.as_bytes().get(from..).and_then(symbol_at) {
            self.at += len;
            return self.push(kind, from);
        }
        let Some(c) = self.rest().chars().next() else {
            return;
        };
        self.at += c.len_utf8();
        let span = self.span(from, self.at);
        let mut diagnostic = Diagnostic::error(
            "syntax/unknown-character",
            span,
            format!("unexpected character `{}`", c.escape_debug()),
        );
        if let Some(ascii) = ascii_spelling(c) {
            diagnostic = diagnostic.with_help(format!("write `{ascii}`"));
        }
        // Report a run of unknown characters only once.
        let continues = self
            .out
            .tokens
            .last()
            .is_some_and(|t| t.kind == TokenKind::Bad && t.span.end == span.start);
        if !continues {
            self.error(diagnostic);
        }
        self.push(TokenKind::Bad, from);
    }
}

/// Converts a text such that `/**`, the text and `*/` form a single documentation comment with that
/// text. The content of an existing comment is unchanged, unless it contains comments itself.
pub(crate) fn inside_comment(text: &str) -> String {
    let mut out = text.replace("*/", "* /").replace("/*", "/ *");
    // `/**/` is a complete comment, and `/***` begins a banner.
    if out.starts_with(['/', '*']) {
        out.insert(0, ' ');
    }
    // `/*/` begins another comment.
    if out.ends_with('/') {
        out.push(' ');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use TokenKind as T;

    fn kinds(text: &str) -> Vec<TokenKind> {
        let lexed = lex(0, text);
        assert_eq!(lexed.diagnostics, [], "{text}");
        lexed
            .tokens
            .iter()
            .map(|t| t.kind)
            .filter(|&k| k != T::Eof)
            .collect()
    }

    #[test]
    fn numbers_end_where_the_grammar_says() {
        for (text, expected) in [
            ("1_000", vec![T::Digits]),
            ("0x1_F", vec![T::HexDigits]),
            ("1.5e-3", vec![T::Real]),
            ("1e3", vec![T::Real]),
            ("0..10", vec![T::Digits, T::DotDot, T::Digits]),
            ("= .5", vec![T::SingleEq, T::Real]),
            (
                "x.0.1",
                vec![T::Ident, T::Dot, T::Digits, T::Dot, T::Digits],
            ),
            ("1e", vec![T::Digits, T::Ident]),
            ("1.e", vec![T::Digits, T::Dot, T::Ident]),
        ] {
            assert_eq!(kinds(text), expected, "{text}");
        }
    }

    #[test]
    fn an_apostrophe_begins_a_character_or_a_name() {
        for (text, expected) in [
            ("'a'", vec![T::Char]),
            ("'\\n'", vec![T::Char]),
            ("'\\u00e9'", vec![T::Char]),
            ("'é'", vec![T::Char]),
            ("'\"'", vec![T::Char]),
            ("x'", vec![T::Ident]),
            ("'x", vec![T::Ident]),
            ("a'b'c", vec![T::Ident]),
            ("'a'b", vec![T::Ident]),
            (
                "['a','b']",
                vec![T::LBracket, T::Char, T::Comma, T::Char, T::RBracket],
            ),
        ] {
            assert_eq!(kinds(text), expected, "{text}");
        }
    }

    #[test]
    fn symbols_are_as_long_as_possible() {
        for (text, expected) in [
            ("a<==>b", vec![T::Ident, T::Iff, T::Ident]),
            ("x !in y", vec![T::Ident, T::NotIn, T::Ident]),
            ("!inner", vec![T::Not, T::Ident]),
            ("A-->B", vec![T::Ident, T::PartialArrow, T::Ident]),
            ("a!!b", vec![T::Ident, T::Not, T::Not, T::Ident]),
            ("{:x}", vec![T::LBraceColon, T::Ident, T::RBrace]),
            ("@\"a\"\"b\"", vec![T::VerbatimString]),
            ("/* a /* b */ c */ x // y", vec![T::Ident]),
        ] {
            assert_eq!(kinds(text), expected, "{text}");
        }
    }

    #[test]
    fn documentation_comments_are_kept() {
        let lexed = lex(10, "/** hi */ method");
        assert_eq!(lexed.docs, [(0, Span::new(13, 17))]);
    }

    #[test]
    fn unknown_characters_are_reported_once_and_skipped() {
        for (text, id) in [
            ("x ≤ y", "syntax/unknown-character"),
            ("\"abc", "syntax/unterminated-string"),
            ("@\"abc", "syntax/unterminated-string"),
            ("/* /* */", "syntax/unterminated-comment"),
            ("'\\q'", "syntax/bad-escape"),
            ("\"\\U{110000}\"", "syntax/bad-escape"),
            ("$$$$", "syntax/unknown-character"),
        ] {
            let ids: Vec<_> = lex(0, text).diagnostics.iter().map(|d| d.id).collect();
            assert_eq!(ids, [id], "{text}");
        }
    }
}
