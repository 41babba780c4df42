//! Literals of numbers and characters.

use dtest_value::real;
use num_rational::BigRational;
use num_traits::{One, Signed as _};

use super::super::Written;

/// Writes a rational number.
pub(in crate::dafny) fn rational(r: &BigRational) -> String {
    let reduced = r.reduced();
    let (_, rest) = real::decimal_places(reduced.denom());
    if rest.is_one() {
        let text = real::print(&reduced);
        return text;
    }
    let sign = if reduced.is_negative() { "-" } else { "" };
    format!(
        "({sign}{}.0 / {}.0)",
        reduced.numer().abs(),
        reduced.denom()
    )
}

/// Writes a character literal.
pub(in crate::dafny) fn character(c: u32, unicode: bool) -> Written<String> {
    Ok(format!("'{}'", escaped(c, unicode)?))
}

/// Escapes a character for a literal.
pub(in crate::dafny) fn escaped(c: u32, unicode: bool) -> Written<String> {
    Ok(match char::from_u32(c) {
        Some('\n') => "\\n".into(),
        Some('\r') => "\\r".into(),
        Some('\t') => "\\t".into(),
        Some('\0') => "\\0".into(),
        Some('\'') => "\\'".into(),
        Some('"') => "\\\"".into(),
        Some('\\') => "\\\\".into(),
        Some(other) if (' '..='~').contains(&other) => other.into(),
        Some(_) if unicode => format!("\\U{{{c:04X}}}"),
        Some(_) | None if !unicode && c <= 0xFFFF => format!("\\u{c:04X}"),
        Some(_) | None => return Err("a character that is no Unicode scalar value".into()),
    })
}
