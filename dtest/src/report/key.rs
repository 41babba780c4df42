//! Keys of findings, for allow-lists and baselines: [`Key`].

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest, Sha256};

/// Maximum number of characters of a source text in a key.
const MAX_TEXT: usize = 100;

/// A name for a finding that does not change when other code is edited: it has no line numbers.
/// Shown as `unit: text`, with ` #2` for the second finding of the same text in the unit.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The Dafny path of the callable that contains the finding.
    pub unit: String,
    /// The kind of the finding and the source text.
    pub text: String,
    /// The number among the findings with the same unit and text, in source order, from 1.
    pub occurrence: usize,
}

impl Key {
    /// The key without the unit.
    pub fn within_unit(&self) -> String {
        match self.occurrence {
            0 | 1 => self.text.clone(),
            n => format!("{} #{n}", self.text),
        }
    }

    /// The key as a string of TOML.
    pub fn toml(&self) -> String {
        toml::Value::String(self.to_string()).to_string()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.unit, self.within_unit())
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Key {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let (unit, text) = text.split_once(": ").unwrap_or(("", text));
        let numbered = text.rsplit_once(" #");
        let numbered = numbered.and_then(|(text, n)| Some((text, n.parse().ok()?)));
        let (text, occurrence) = numbered.unwrap_or((text, 1));
        Ok(Self {
            unit: unit.to_owned(),
            text: text.to_owned(),
            occurrence,
        })
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

/// Returns the part of a key that stands for a source text: the text on one line. A long text is cut,
/// and a hash distinguishes it from others.
pub fn text_of(source: &str) -> String {
    let line = source.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MAX_TEXT {
        return line;
    }
    let start: String = line.chars().take(MAX_TEXT).collect();
    let hash = Sha256::digest(plain(&line));
    let hash: String = hash.iter().take(4).map(|b| format!("{b:02x}")).collect();
    format!("{start}… {hash}")
}

/// Normalizes a key for comparison: removes white space and quotes, so that formatting the program
/// does not change it.
pub fn plain(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && *c != '`')
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_and_stay_different() {
        let (a, b) = ("x".repeat(200), "x".repeat(201));
        assert_eq!(text_of("a\n   b"), "a b");
        assert!(text_of(&a).chars().count() < 120);
        assert_ne!(text_of(&a), text_of(&b));
        assert_eq!(text_of(&a), text_of(&format!(" {a}\n")));
    }

    #[test]
    fn the_first_occurrence_has_no_number() {
        let key = |occurrence| Key {
            unit: "M.F".into(),
            text: "index `s[i]`".into(),
            occurrence,
        };
        assert_eq!(key(1).to_string(), "M.F: index `s[i]`");
        assert_eq!(key(2).to_string(), "M.F: index `s[i]` #2");
        for n in 1..3 {
            assert_eq!(key(n).to_string().parse(), Ok(key(n)));
        }
    }
}
