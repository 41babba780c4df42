//! A tree of JSON whose objects keep the order of their members, and its text.
//!
//! The order is part of the format: same test, same bytes.

use std::fmt;

use num_bigint::BigInt;

/// The largest integer that is a JSON number: all integers up to 2^53 - 1 are exact in a double,
/// which is what most readers use. Larger ones are strings.
const MAX_NUMBER: i64 = (1 << 53) - 1;

/// A JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Json {
    /// `true` or `false`.
    Bool(bool),
    /// `null`.
    Null,
    /// A number.
    Number(i64),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Creates a string.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Creates an integer: a number, or a string of digits beyond 2^53.
    pub(super) fn integer(n: &BigInt) -> Self {
        match i64::try_from(n) {
            Ok(n) if (-MAX_NUMBER..=MAX_NUMBER).contains(&n) => Self::Number(n),
            Ok(_) | Err(_) => Self::Text(n.to_string()),
        }
    }

    /// Creates a number from a size.
    pub(super) fn size(n: usize) -> Self {
        Self::integer(&BigInt::from(n))
    }

    /// Creates an object.
    pub(super) fn object<const N: usize>(members: [(&str, Json); N]) -> Self {
        let members = members.into_iter().map(|(k, v)| (k.to_owned(), v));
        Self::Object(members.collect())
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Number(n) => write!(f, "{n}"),
            Self::Text(text) => string(f, text),
            Self::List(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { "," })?;
                    write!(f, "{item}")?;
                }
                f.write_str("]")
            }
            Self::Object(members) => {
                f.write_str("{")?;
                for (i, (key, value)) in members.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { "," })?;
                    string(f, key)?;
                    write!(f, ":{value}")?;
                }
                f.write_str("}")
            }
        }
    }
}

/// Writes a string literal. Line separators are escaped too, so that a line of the file is a line
/// for every reader.
fn string(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            c if c < ' ' || matches!(c, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}') => {
                write!(f, "\\u{:04x}", c as u32)?;
            }
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_beyond_a_double_are_strings() {
        let shown = |n: i128| Json::integer(&BigInt::from(n)).to_string();
        assert_eq!(shown((1 << 53) - 1), "9007199254740991");
        assert_eq!(shown(1 << 53), "\"9007199254740992\"");
        assert_eq!(shown(-(1 << 53)), "\"-9007199254740992\"");
        assert_eq!(shown(-7), "-7");
    }

    #[test]
    fn strings_are_escaped_and_members_keep_their_order() {
        let value = Json::object([
            ("b", Json::text("\"\\\n\t\u{2028}é")),
            ("a", Json::List(vec![Json::Null, Json::Bool(true)])),
        ]);
        assert_eq!(
            value.to_string(),
            r#"{"b":"\"\\\n\u0009\u2028é","a":[null,true]}"#
        );
    }
}
