//! The lexer, which converts text to tokens.
//!
//! [`lex`] is the entry point. Invalid input becomes a [`Token::Bad`] with a diagnostic, and lexing
//! continues after it.

use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

/// The kinds of tokens; the texts of words and literals are taken from the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// A name or a keyword.
    Word,
    /// An integer literal, `17`.
    Digits,
    /// A bitvector literal, `5bv8`.
    Bv,
    /// A real literal: `15e-1`, `1.5`, `1.5e3`.
    Decimal,
    /// A floating-point literal: `0x1.0e3f24e8`, `0NaN24e8`, `0+oo24e8`.
    Float,
    /// A string literal, `"…"`.
    Str,
    /// A punctuation mark or operator, in its ASCII spelling.
    Sym(&'static str),
    /// Invalid input.
    Bad,
    /// The end.
    Eof,
}

const SYMBOLS: [(&str, &str); 52] = [
    ("<==>", "<==>"),
    ("==>", "==>"),
    ("<==", "<=="),
    ("|{", "|{"),
    ("}|", "}|"),
    ("::", "::"),
    (":=", ":="),
    ("==", "=="),
    ("!=", "!="),
    ("<=", "<="),
    (">=", ">="),
    ("<:", "<:"),
    ("&&", "&&"),
    ("||", "||"),
    ("++", "++"),
    ("**", "**"),
    ("->", "->"),
    ("{", "{"),
    ("}", "}"),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    ("<", "<"),
    (">", ">"),
    (",", ","),
    (";", ";"),
    (":", ":"),
    ("=", "="),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("!", "!"),
    ("|", "|"),
    ("∀", "forall"),
    ("∃", "exists"),
    ("λ", "lambda"),
    ("•", "::"),
    ("⇔", "<==>"),
    ("⇒", "==>"),
    ("⇐", "<=="),
    ("∧", "&&"),
    ("∨", "||"),
    ("¬", "!"),
    ("≠", "!="),
    ("≤", "<="),
    ("≥", ">="),
    ("⟹", "==>"),
    ("⟺", "<==>"),
    ("⟸", "<=="),
    ("≔", ":="),
];

/// Splits a text whose first byte has the position `base` into tokens, the last of which is
/// [`Token::Eof`].
pub(crate) fn lex(base: u32, text: &str) -> (Vec<(Token, Span)>, Vec<Diagnostic>) {
    let mut lexer = Lexer {
        base,
        text,
        at: 0,
        tokens: Vec::with_capacity(text.len() / 4),
        diagnostics: Vec::new(),
    };
    if text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    while lexer.next() {}
    (lexer.tokens, lexer.diagnostics)
}

struct Lexer<'a> {
    base: u32,
    text: &'a str,
    at: usize,
    tokens: Vec<(Token, Span)>,
    diagnostics: Vec<Diagnostic>,
}

fn is_word_start(c: u8) -> bool {
    c.is_ascii_alphabetic() || b"'~#$^_.?`".contains(&c)
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn span(&self, from: usize) -> Span {
        Span::new(self.base + from as u32, self.base + self.at as u32)
    }

    fn push(&mut self, token: Token, len: usize) {
        let from = self.at;
        self.at += len;
        let span = self.span(from);
        self.tokens.push((token, span));
    }

    fn error(&mut self, span: Span, message: &str) {
        self.diagnostics
            .push(Diagnostic::error("boogie/bad-token", span, message));
    }

    /// Lexes one token or skips one piece of white space; returns false at the end of the text.
    fn next(&mut self) -> bool {
        let text = self.text;
        let rest = text.as_bytes().get(self.at..).unwrap_or_default();
        let Some(&first) = rest.first() else {
            self.push(Token::Eof, 0);
            return false;
        };
        let second = rest.get(1).copied().unwrap_or(0);
        match first {
            _ if first.is_ascii_whitespace() => self.at += 1,
            b'/' if second == b'/' => {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len())
            }
            b'/' if second == b'*' => self.comment(),
            b'#' if self.directive() => {}
            b'"' => self.string(),
            _ if first.is_ascii_digit() => self.number(),
            _ if is_word_start(first) || (first == b'\\' && is_word_start(second)) => {
                let tail = rest
                    .iter()
                    .skip(1)
                    .position(|&c| !(is_word_start(c) || c.is_ascii_digit()));
                let len = tail.map_or(rest.len(), |n| n + 1);
                self.push(Token::Word, len);
            }
            _ => self.symbol(),
        }
        true
    }

    /// Evaluates a directive such as `#if NAME` or `#else` on a line of its own. Only `FILE_0` is
    /// defined, as for the first file of a command line.
    fn directive(&mut self) -> bool {
        let line = self.rest().split('\n').next().unwrap_or("");
        let before = self
            .text
            .get(..self.at)
            .unwrap_or("")
            .rsplit('\n')
            .next()
            .unwrap_or("");
        if !before.trim().is_empty() {
            return false;
        }
        let mut words = line.split_whitespace();
        let takes = |name: Option<&str>| {
            name.is_some_and(|n| n.strip_prefix('!').map_or(n == "FILE_0", |m| m != "FILE_0"))
        };
        match words.next() {
            Some("#if") => {
                let taken = takes(words.next());
                self.skip_line();
                if !taken {
                    self.skip_branch(true);
                }
            }
            // The branch that was taken ends here.
            Some("#else" | "#elsif") => {
                self.skip_line();
                self.skip_branch(false);
            }
            Some("#endif") => self.skip_line(),
            Some(_) | None => return false,
        }
        true
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').map_or(self.rest().len(), |n| n + 1);
    }

    /// Skips to the end of a branch that is not taken; with `to_else`, to the branch that is taken.
    fn skip_branch(&mut self, to_else: bool) {
        let mut depth = 0usize;
        while !self.rest().is_empty() {
            let word = self
                .rest()
                .split('\n')
                .next()
                .and_then(|l| l.split_whitespace().next())
                .unwrap_or("")
                .to_owned();
            self.skip_line();
            match word.as_str() {
                "#if" => depth += 1,
                "#endif" if depth == 0 => return,
                "#endif" => depth -= 1,
                "#else" if depth == 0 && to_else => return,
                _ => {}
            }
        }
    }

    fn comment(&mut self) {
        let (from, mut depth) = (self.at, 0usize);
        loop {
            let rest = self.rest();
            if rest.starts_with("/*") {
                depth += 1;
                self.at += 2;
            } else if rest.starts_with("*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return;
                }
            } else if let Some(c) = rest.chars().next() {
                self.at += c.len_utf8();
            } else {
                self.error(
                    Span::new(self.base + from as u32, self.base + from as u32 + 2),
                    "unterminated comment",
                );
                return;
            }
        }
    }

    fn string(&mut self) {
        let bytes = self.rest().as_bytes();
        let mut i = 1;
        loop {
            match bytes.get(i) {
                Some(b'"') => return self.push(Token::Str, i + 1),
                Some(b'\\') if bytes.get(i + 1) == Some(&b'"') => i += 2,
                Some(b'\n' | b'\r') | None => break,
                Some(_) => i += 1,
            }
        }
        self.push(Token::Bad, i);
        if let Some((_, span)) = self.tokens.last().copied() {
            self.error(
                span,
                "unterminated string: it must end on the line that it begins on",
            );
        }
    }

    fn number(&mut self) {
        let bytes = self.rest().as_bytes();
        let digits = |from: usize| {
            bytes
                .iter()
                .skip(from)
                .take_while(|c| c.is_ascii_digit())
                .count()
        };
        let at = |i: usize| bytes.get(i).copied().unwrap_or(0);
        let exponent = |from: usize| {
            let sign = usize::from(at(from + 1) == b'-');
            let n = digits(from + 1 + sign);
            (at(from) == b'e' && n > 0).then_some(from + 1 + sign + n)
        };
        // A floating-point literal begins like a number, so it is tried first.
        if let Some(len) = float(bytes) {
            return self.push(Token::Float, len);
        }
        let n = digits(0);
        if at(n) == b'b' && at(n + 1) == b'v' && at(n + 2).is_ascii_digit() {
            let width = digits(n + 2);
            self.push(Token::Bv, n + 2 + width);
        } else if at(n) == b'.' && at(n + 1).is_ascii_digit() {
            let len = n + 1 + digits(n + 1);
            self.push(Token::Decimal, exponent(len).unwrap_or(len));
        } else if let Some(len) = exponent(n) {
            self.push(Token::Decimal, len);
        } else {
            self.push(Token::Digits, n);
        }
    }

    fn symbol(&mut self) {
        let rest = self.rest();
        if let Some((text, symbol)) = SYMBOLS.iter().find(|(text, _)| rest.starts_with(text)) {
            let token = Token::Sym(symbol);
            return self.push(token, text.len());
        }
        let len = rest.chars().next().map_or(1, char::len_utf8);
        self.push(Token::Bad, len);
        if let Some((_, span)) = self.tokens.last().copied() {
            self.error(span, "unexpected character");
        }
    }
}

/// Returns the length of the floating-point literal at the beginning of the text.
fn float(bytes: &[u8]) -> Option<usize> {
    let digits = |from: usize, hex: bool| {
        bytes
            .iter()
            .skip(from)
            .take_while(|c| {
                if hex {
                    c.is_ascii_hexdigit()
                } else {
                    c.is_ascii_digit()
                }
            })
            .count()
    };
    let sizes = |from: usize| {
        let significand = digits(from, false);
        let e = from + significand;
        let exponent = digits(e + 1, false);
        (significand > 0 && bytes.get(e) == Some(&b'e') && exponent > 0).then_some(e + 1 + exponent)
    };
    match bytes {
        [b'0', b'x', ..] => {
            let whole = digits(2, true);
            let dot = 2 + whole;
            let mut at = dot + 1 + digits(dot + 1, true);
            // `e` is also a hexadecimal digit: the exponent begins at the last `e` before the sign
            // or the `f`.
            let tail = bytes.get(dot..).unwrap_or_default();
            let end = tail
                .iter()
                .position(|&c| !(c.is_ascii_hexdigit() || c == b'.' || c == b'-'))
                .unwrap_or(tail.len());
            if end > 0 || bytes.get(at) == Some(&b'-') {
                let part = bytes.get(dot + 1..).unwrap_or_default();
                let run = part
                    .iter()
                    .take_while(|c| c.is_ascii_hexdigit() || **c == b'-')
                    .count();
                let word = part.get(..run)?;
                // The parts of a literal: significand, `e`, exponent, `f`, sizes.
                let e = word.iter().position(|&c| c == b'-').map_or_else(
                    || {
                        word.iter()
                            .rposition(|&c| c == b'f')
                            .and_then(|f| word.get(..f)?.iter().rposition(|&c| c == b'e'))
                    },
                    |minus| minus.checked_sub(1),
                )?;
                at = dot + 1 + e;
            }
            if bytes.get(dot) != Some(&b'.') || bytes.get(at) != Some(&b'e') {
                return None;
            }
            let sign = usize::from(bytes.get(at + 1) == Some(&b'-'));
            let exponent = digits(at + 1 + sign, false);
            let f = at + 1 + sign + exponent;
            (bytes.get(f) == Some(&b'f'))
                .then(|| sizes(f + 1))
                .flatten()
        }
        [b'0', b'N', b'a', b'N', ..]
        | [b'0', b'n', b'a', b'n', ..]
        | [b'0', b'+' | b'-', b'o', b'o', ..] => sizes(4),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
