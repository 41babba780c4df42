//! Places in reports: [`Place`], and [`End`] for the end of a range.
//!
//! Messages and JSON show them as text. Only [`std::str::FromStr`] reads that text: for the cached
//! report of an earlier run, and for the language server, which reads the JSON of its child
//! processes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use dafny_source::{LineColumn, SourceMap, Span};

/// The start of a declaration, statement or expression, shown as `path:line:column`.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// In no file, shown as `<built in>`.
    #[default]
    BuiltIn,
    /// In a file.
    In {
        /// The path of the file as shown to the user.
        path: String,
        /// The position.
        at: LineColumn,
    },
}

/// The end of a range, in the file of its start, shown as `line:column`; empty if it is in no file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct End(pub Option<LineColumn>);

/// A text that is not a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoPlace;

/// The text of [`Place::BuiltIn`].
const BUILT_IN: &str = "<built in>";

impl Place {
    /// The place where a span starts.
    pub fn of(sources: &SourceMap, span: Span) -> Self {
        match (sources.file_at(span.start), sources.line_column(span.start)) {
            (Some((_, file)), Some(at)) => Self::In {
                path: file.path.clone(),
                at,
            },
            _ => Self::BuiltIn,
        }
    }

    /// The path of the file.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::In { path, .. } => Some(path),
            Self::BuiltIn => None,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str(BUILT_IN),
            Self::In { path, at } => write!(f, "{path}:{}:{}", at.line, at.column),
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .map_or(Ok(()), |at| write!(f, "{}:{}", at.line, at.column))
    }
}

impl fmt::Display for NoPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected `path:line:column`")
    }
}

impl std::error::Error for NoPlace {}

/// Reads `line:column`.
fn line_column(line: &str, column: &str) -> Result<LineColumn, NoPlace> {
    match (line.parse(), column.parse()) {
        (Ok(line), Ok(column)) => Ok(LineColumn { line, column }),
        (_, _) => Err(NoPlace),
    }
}

impl FromStr for Place {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Self, NoPlace> {
        if text == BUILT_IN {
            return Ok(Self::BuiltIn);
        }
        let (rest, column) = text.rsplit_once(':').ok_or(NoPlace)?;
        let (path, line) = rest.rsplit_once(':').ok_or(NoPlace)?;
        Ok(Self::In {
            path: path.to_owned(),
            at: line_column(line, column)?,
        })
    }
}

impl FromStr for End {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Self, NoPlace> {
        if text.is_empty() {
            return Ok(Self(None));
        }
        let (line, column) = text.split_once(':').ok_or(NoPlace)?;
        Ok(Self(Some(line_column(line, column)?)))
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for End {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_place_is_read_back() {
        let mut sources = SourceMap::new();
        sources.add("C:/a b.dfy", "one\n  two\n", true);
        let place = Place::of(&sources, Span::new(6, 9));
        assert_eq!(place.to_string(), "C:/a b.dfy:2:3");
        assert_eq!(place.to_string().parse(), Ok(place.clone()));
        assert_eq!(place.path(), Some("C:/a b.dfy"));
        let nowhere = Place::of(&sources, Span::new(999, 999));
        assert_eq!(nowhere.to_string().parse(), Ok(nowhere));
        for wrong in ["", "a.dfy", "a.dfy:1", "a.dfy:x:1", "a.dfy:1:"] {
            assert_eq!(wrong.parse::<Place>(), Err(NoPlace), "{wrong}");
        }
    }

    #[test]
    fn json_has_places_as_text() {
        let place: Place = "a.dfy:3:4".parse().expect("a place");
        let json = serde_json::to_string(&place).expect("JSON");
        assert_eq!(json, "\"a.dfy:3:4\"");
        assert_eq!(
            serde_json::from_str::<Place>(&json).expect("a place"),
            place
        );
    }
}
