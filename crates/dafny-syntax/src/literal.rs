//! Conversion of literals from text to values.

use num_bigint::BigInt;

use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

/// A malformed escape sequence: its length and the error.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BadEscape {
    /// The length in bytes.
    pub(super) len: usize,
    message: &'static str,
}

impl BadEscape {
    /// The diagnostic for the escape at a span.
    pub(super) fn diagnostic(&self, span: Span) -> Diagnostic {
        Diagnostic::error("syntax/bad-escape", span, self.message)
            .with_help("valid escapes are \\' \\\" \\\\ \\0 \\n \\r \\t, \\uXXXX and \\U{X…} with up to six hexadecimal digits")
    }
}

/// Reads the escape sequence at the start of `text`. Returns its code point or code unit, and its
/// length in bytes.
pub(super) fn escape(text: &str) -> Result<(u32, usize), BadEscape> {
    let simple = |c: char| Ok((u32::from(c), 2));
    match text.as_bytes().get(1) {
        Some(b'\'') => simple('\''),
        Some(b'"') => simple('"'),
        Some(b'\\') => simple('\\'),
        Some(b'0') => simple('\0'),
        Some(b'n') => simple('\n'),
        Some(b'r') => simple('\r'),
        Some(b't') => simple('\t'),
        Some(b'u') => {
            let digits = text
                .get(2..6)
                .filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
            let value = digits.and_then(|d| u32::from_str_radix(d, 16).ok());
            value.map(|v| (v, 6)).ok_or(BadEscape {
                len: 2,
                message: "`\\u` needs four hexadecimal digits",
            })
        }
        Some(b'U') => {
            let wrong = BadEscape {
                len: 2,
                message: "`\\U` needs one to six hexadecimal digits in braces",
            };
            let Some(inner) = text.get(2..).and_then(|t| t.strip_prefix('{')) else {
                return Err(wrong);
            };
            let Some(end) = inner
                .bytes()
                .position(|b| !(b.is_ascii_hexdigit() || b == b'_'))
            else {
                return Err(wrong);
            };
            let digits: String = inner.chars().take(end).filter(|&c| c != '_').collect();
            if inner.as_bytes().get(end) != Some(&b'}') || digits.is_empty() {
                return Err(wrong);
            }
            let len = 2 + 1 + end + 1;
            match u32::from_str_radix(&digits, 16)
                .ok()
                .and_then(char::from_u32)
            {
                Some(c) => Ok((u32::from(c), len)),
                None => Err(BadEscape {
                    len,
                    message: "this is not a Unicode scalar value",
                }),
            }
        }
        Some(_) => {
            // The escape is the backslash with the next character, but never with a line break.
            let len = 1 + text.chars().nth(1).map_or(0, char::len_utf8);
            let len = if matches!(text.as_bytes().get(1), Some(b'\n' | b'\r')) {
                1
            } else {
                len
            };
            Err(BadEscape {
                len,
                message: "unknown escape sequence",
            })
        }
        None => Err(BadEscape {
            len: 1,
            message: "unknown escape sequence",
        }),
    }
}

/// The contents of `"…"`: code points, and code units from `\uXXXX`. Malformed escapes are omitted.
pub(super) fn string(text: &str) -> Vec<u32> {
    units(
        text.strip_prefix('"')
            .map_or(text, |t| t.strip_suffix('"').unwrap_or(t)),
    )
}

/// The contents of `@"…"`.
pub(super) fn verbatim_string(text: &str) -> Vec<u32> {
    let inner = text
        .strip_prefix("@\"")
        .map_or(text, |t| t.strip_suffix('"').unwrap_or(t));
    inner.replace("\"\"", "\"").chars().map(u32::from).collect()
}

/// The value of `'c'`. 0 for a malformed literal, which the lexer has reported.
pub(super) fn character(text: &str) -> u32 {
    let inner = text.strip_prefix('\'').unwrap_or(text);
    let inner = if inner.len() > 1 {
        inner.strip_suffix('\'').unwrap_or(inner)
    } else {
        inner
    };
    units(inner).first().copied().unwrap_or(0)
}

fn units(mut rest: &str) -> Vec<u32> {
    let mut out = Vec::with_capacity(rest.len());
    while let Some(c) = rest.chars().next() {
        // Malformed escapes were reported by the lexer. Skip them, so that the rest has its value.
        let mut len = c.len_utf8();
        if c == '\\' {
            match escape(rest) {
                Ok((unit, escape_len)) => {
                    out.push(unit);
                    len = escape_len;
                }
                Err(wrong) => len = wrong.len,
            }
        } else {
            out.push(u32::from(c));
        }
        rest = rest.get(len..).unwrap_or("");
    }
    out
}

/// The characters after the backslashes in a character or string literal.
pub(super) fn escapes(text: &str) -> impl Iterator<Item = u8> {
    let mut bytes = text.bytes();
    std::iter::from_fn(move || bytes.find(|b| *b == b'\\').and_then(|_| bytes.next()))
}

/// The value of a decimal or hexadecimal number, possibly with underscores.
pub(super) fn integer(text: &str) -> BigInt {
    let (digits, radix) = text.strip_prefix("0x").map_or((text, 10), |hex| (hex, 16));
    let digits: Vec<u8> = digits.bytes().filter(|&b| b != b'_').collect();
    BigInt::parse_bytes(&digits, radix).unwrap_or_default()
}

/// The digits and exponent of a real number: `1.50` is (150, -2). Returns `None` if the exponent is
/// too large.
pub(super) fn real(text: &str) -> Option<(BigInt, i64)> {
    let text: String = text.chars().filter(|&c| c != '_').collect();
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i64 = exponent
        .parse()
        .ok()
        .filter(|e: &i64| e.unsigned_abs() <= 1_000_000)?;
    Some((
        integer(&format!("{whole}{fraction}")),
        exponent - fraction.len() as i64,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_have_their_values() {
        assert_eq!(integer("1_000"), BigInt::from(1000));
        assert_eq!(integer("0xFF"), BigInt::from(255));
        assert_eq!(real("1.50"), Some((BigInt::from(150), -2)));
        assert_eq!(real("1e3"), Some((BigInt::from(1), 3)));
        assert_eq!(real(".5"), Some((BigInt::from(5), -1)));
        assert_eq!(real("1.5e-3"), Some((BigInt::from(15), -4)));
        assert_eq!(real("1e99999999999999"), None);
        assert_eq!(string(r#""a\n\u0041\U{1F600}""#), [97, 10, 65, 0x1F600]);
        assert_eq!(verbatim_string("@\"a\"\"\\n\""), [97, 34, 92, 110]);
        assert_eq!(character("'\\''"), 39);
        assert_eq!(character("'é'"), 233);
    }
}
