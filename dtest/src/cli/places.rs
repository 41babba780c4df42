//! Source locations that select obligations: `--at FILE:LINE[:COLUMN]`, and the errors of Dafny's
//! verifier (`--from-dafny`).

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde_json::Value;

use dafny_source::{LineColumn, SourceMap, Span};

/// A line of a file, with an optional column; both are 1-based.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The path of the file as it was written.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: Option<u32>,
}

impl Reported {
    /// Whether the error is about a clause at a related place: a postcondition, which fails where
    /// the body ends, or a precondition of a call. The related places of other errors are inside
    /// definitions that the condition mentions.
    pub fn is_about_clause(&self) -> bool {
        let is_named = |name: &str| self.message.contains(name);
        !self.related.is_empty()
            && ["postcondition", "precondition", "ensures"]
                .into_iter()
                .any(is_named)
    }

    /// Returns the places of the obligations that may not hold: those of the clauses if the error
    /// is about some, and the related ones if there is no obligation at its own (`is_obliged`), as at
    /// `assert ...` in a refinement.
    pub fn obligation_places(&self, is_obliged: impl FnOnce(&Place) -> bool) -> Vec<Place> {
        let line = Place {
            column: None,
            ..self.place.clone()
        };
        let is_elsewhere = self.is_about_clause() || !self.related.is_empty() && !is_obliged(&line);
        let places = match is_elsewhere {
            true => &self.related,
            false => std::slice::from_ref(&self.place),
        };
        places
            .iter()
            .map(|p| Place {
                column: None,
                ..p.clone()
            })
            .collect()
    }
}

/// A text that is not a [`Place`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoPlace(String);

impl fmt::Display for NoPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a place: write FILE:LINE or FILE:LINE:COLUMN",
            self.0
        )
    }
}

impl std::error::Error for NoPlace {}

impl FromStr for Place {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Self, NoPlace> {
        let wrong = || NoPlace(text.to_owned());
        let (rest, last) = text.rsplit_once(':').ok_or_else(wrong)?;
        let last: u32 = last.parse().map_err(|_| wrong())?;
        let place = match rest
            .rsplit_once(':')
            .and_then(|(file, line)| Some((file, line.parse().ok()?)))
        {
            Some((file, line)) => Self {
                file: file.to_owned(),
                line,
                column: Some(last),
            },
            None => Self {
                file: rest.to_owned(),
                line: last,
                column: None,
            },
        };
        if place.file.is_empty() || place.line == 0 || place.column == Some(0) {
            Err(wrong())
        } else {
            Ok(place)
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        self.column.map_or(Ok(()), |column| write!(f, ":{column}"))
    }
}

impl Place {
    /// Whether the place is on this line of this file.
    pub fn is_on(&self, file: &str, line: u32) -> bool {
        is_same_file(file, &self.file) && self.line == line
    }

    /// Whether the code at `span` is at this place: on its line, and around its column if there is
    /// one.
    pub fn is_in(&self, sources: &SourceMap, span: Span) -> bool {
        let Some((_, file)) = sources.file_at(span.start) else {
            return false;
        };
        let (Some(start), Some(end)) = (
            sources.line_column(span.start),
            sources.line_column(span.end),
        ) else {
            return false;
        };
        let at = |column| LineColumn {
            line: self.line,
            column,
        };
        is_same_file(&file.path, &self.file)
            && match self.column {
                None => start.line <= self.line && self.line <= end.line,
                Some(column) => start <= at(column) && at(column) <= end,
            }
    }
}

/// Whether two paths may name the same file: one ends with the components of the other.
fn is_same_file(a: &str, b: &str) -> bool {
    let (a, b) = (Path::new(a), Path::new(b));
    let (a, b) = (
        a.strip_prefix(".").unwrap_or(a),
        b.strip_prefix(".").unwrap_or(b),
    );
    a.ends_with(b) || b.ends_with(a)
}

/// An error of Dafny's verifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reported {
    /// The reported place.
    pub place: Place,
    /// The places of the clauses that could not be proved, if Dafny reports them.
    pub related: Vec<Place>,
    /// Dafny's message.
    pub message: String,
    /// The assumptions of a counterexample about the initial state of the unit
    /// (`--extract-counterexample`).
    pub assumed: Option<String>,
}

/// Parses the output of Dafny: lines such as `file.dfy(12,4): Error: …`, followed by `Related
/// location` lines, or the records of `--json-output`.
///
/// # Errors
/// The output has no error, and does not say that verification succeeded.
pub fn read(text: &str) -> Result<Vec<Reported>, NoErrors> {
    let mut errors: Vec<Reported> = Vec::new();
    let (mut known, mut is_verified) = (false, false);
    let mut is_initial = false;
    // Both formats are accepted line by line, since the output may be a mix of them with other
    // text.
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with('{') {
            if let Ok(record) = serde_json::from_str::<Value>(line) {
                known = true;
                errors.extend(of_record(&record));
            }
            continue;
        }
        known |= line.starts_with("Dafny program verifier");
        is_verified |= line.starts_with("Dafny program verifier finished with")
            && line.contains(" verified, 0 errors");
        // The line after the heading of an initial state has the values of the counterexample.
        if let (true, Some(last)) = (std::mem::take(&mut is_initial), errors.last_mut()) {
            last.assumed = assumption(line);
        }
        is_initial = is_initial_state(line);
        let Some((place, kind, message)) = of_line(line) else {
            continue;
        };
        match (kind, errors.last_mut()) {
            ("Error", _) => errors.push(Reported {
                place,
                related: Vec::new(),
                message: message.to_owned(),
                assumed: None,
            }),
            ("Related location", Some(last)) => last.related.push(place),
            (_, _) => {}
        }
    }
    // Without errors, only the statement that verification succeeded is trusted: a crash, or a
    // truncated text, must not pass as success.
    if errors.is_empty() && !is_verified {
        return Err(if known {
            NoErrors::Unverified
        } else {
            NoErrors::NotDafny
        });
    }
    Ok(errors)
}

/// The reason why a text does not tell which obligations Dafny could not prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoErrors {
    /// Dafny wrote it, but neither an error nor the end of a verification.
    Unverified,
    /// Dafny did not write it.
    NotDafny,
}

impl fmt::Display for NoErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self {
            Self::Unverified => {
                "it contains no error, and no statement by Dafny that it verified anything"
            }
            Self::NotDafny => "it is not output of Dafny",
        };
        write!(
            f,
            "{what}; expected lines like `file.dfy(12,4): Error: …`, or the output of `dafny verify --json-output`"
        )
    }
}

impl std::error::Error for NoErrors {}

/// Parses `file(line,column): kind: message`. Dafny's columns are 0-based.
fn of_line(line: &str) -> Option<(Place, &str, &str)> {
    let (place, rest) = line.split_once("): ")?;
    let (file, at) = place.rsplit_once('(')?;
    let (line, column) = at.split_once(',')?;
    let (kind, message) = rest.split_once(':').unwrap_or((rest, ""));
    let column: u32 = column.parse().ok()?;
    let place = Place {
        file: file.to_owned(),
        line: line.parse().ok()?,
        column: Some(column.saturating_add(1)),
    };
    // Some kinds have an id: `Error (ID)`.
    let kind = kind.split(" (").next().unwrap_or(kind).trim();
    Some((place, kind, message.trim()))
}

/// Parses an error of `--json-output`, which is a record or the value of a record.
fn of_record(record: &Value) -> Option<Reported> {
    let record = record
        .get("value")
        .filter(|v| v.is_object())
        .unwrap_or(record);
    let is_error = record["severity"].as_u64() == Some(1)
        || record["severity"]
            .as_str()
            .is_some_and(|s| s.eq_ignore_ascii_case("error"));
    if !is_error {
        return None;
    }
    let message = record["message"].as_str().unwrap_or_default();
    let related = record["relatedInformation"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|r| of_location(&r["location"]));
    Some(Reported {
        place: of_location(&record["location"])?,
        related: related.collect(),
        message: message.lines().next().unwrap_or_default().to_owned(),
        assumed: message
            .lines()
            .skip_while(|l| !is_initial_state(l.trim()))
            .nth(1)
            .and_then(|l| assumption(l.trim())),
    })
}

/// Whether a line of a counterexample introduces the assumptions about the initial state.
fn is_initial_state(line: &str) -> bool {
    line.ends_with("initial state:")
}

/// Returns the condition of `assume P;`.
fn assumption(line: &str) -> Option<String> {
    let condition = line.strip_prefix("assume ")?.trim_end_matches(';').trim();
    (!condition.is_empty()).then(|| condition.to_owned())
}

fn of_location(location: &Value) -> Option<Place> {
    let file = location["filename"]
        .as_str()
        .or(location["uri"].as_str())
        .map(|f| f.trim_start_matches("file://"))?;
    let line = location["range"]["start"]["line"].as_u64()?;
    Some(Place {
        file: file.to_owned(),
        line: u32::try_from(line).ok()?,
        column: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> Place {
        text.parse().expect("a place")
    }

    #[test]
    fn places_are_files_with_lines() {
        assert_eq!(
            place("src/a.dfy:12"),
            Place {
                file: "src/a.dfy".into(),
                line: 12,
                column: None
            }
        );
        assert_eq!(
            place("C:\\a.dfy:12:4"),
            Place {
                file: "C:\\a.dfy".into(),
                line: 12,
                column: Some(4)
            }
        );
        for wrong in [
            "",
            "a.dfy",
            "a.dfy:",
            "a.dfy:x",
            ":3",
            "a.dfy:0",
            "a.dfy:1:0",
            "a.dfy:99999999999",
        ] {
            assert!(wrong.parse::<Place>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_place_is_in_the_spans_on_its_line() {
        let mut sources = SourceMap::new();
        sources.add("src/a.dfy", "one\ntwo three\n", true);
        let three = Span::new(8, 13);
        let is_in = |text: &str| place(text).is_in(&sources, three);
        assert!(is_in("a.dfy:2") && is_in("./src/a.dfy:2:5") && is_in("/home/x/src/a.dfy:2:7"));
        assert!(!is_in("a.dfy:1") && !is_in("a.dfy:2:2") && !is_in("b.dfy:2"));
    }

    #[test]
    fn errors_are_read_with_their_related_locations() {
        let text = "a.dfy(12,4): Error: a postcondition could not be proved on this return path\n   |\na.dfy(3,10): Related location: this is the \
                    postcondition that could not be proved\n\nDafny program verifier finished with 1 verified, 1 error\n";
        let errors = read(text).expect("an error");
        assert_eq!(
            (
                errors.len(),
                errors[0].place.clone(),
                errors[0].related.clone()
            ),
            (1, place("a.dfy:12:5"), vec![place("a.dfy:3:11")])
        );
        let record =
            r#"{"type":"diagnostic","value":{"location":{"filename":"a.dfy","range":{"start":{"line":12,"character":4}}},"severity":1,
            "message":"assertion might not hold","relatedInformation":[{"location":{"filename":"a.dfy","range":{"start":{"line":3}}}}]}}"#
                .replace('\n', "");
        let errors = read(&record).expect("an error");
        assert_eq!(
            (errors[0].place.clone(), errors[0].related.clone()),
            (place("a.dfy:12"), vec![place("a.dfy:3")])
        );
    }

    #[test]
    fn counterexamples_are_read_with_the_errors_that_they_are_of() {
        let text = "a.dfy(3,2): Error: assertion might not hold\nRelated counterexample:\nWARNING: it may be inconsistent\n\
                    a.dfy(1,20): initial state:\nassume 0 == m && -1 == n;\na.dfy(2,4):\nassume 1 == m;\na.dfy(9,2): Error: no\n";
        let errors = read(text).expect("errors");
        let assumed: Vec<Option<&str>> = errors.iter().map(|e| e.assumed.as_deref()).collect();
        assert_eq!(assumed, [Some("0 == m && -1 == n"), None]);
        let record = serde_json::json!({ "type": "diagnostic", "value": {
            "location": { "filename": "a.dfy", "range": { "start": { "line": 3, "character": 2 } } }, "severity": 1,
            "message": "assertion might not hold\nRelated counterexample:\na.dfy(1,20): initial state:\nassume 0 == m;\n" } });
        let errors = read(&record.to_string()).expect("an error");
        assert_eq!(
            (errors[0].assumed.as_deref(), &*errors[0].message),
            (Some("0 == m"), "assertion might not hold")
        );
    }

    #[test]
    fn text_without_an_error_is_refused_and_nothing_panics() {
        assert!(
            read("Dafny program verifier finished with 2 verified, 0 errors\n")
                .is_ok_and(|e| e.is_empty())
        );
        assert!(
            read("Dafny program verifier did not attempt verification\n")
                .is_err_and(|e| e.to_string().contains("no error"))
        );
        for wrong in [
            "",
            "hello\n",
            "{\n",
            "{}\n",
            "a.dfy(x,y): Error: no\n",
            "(1,2): Warning: w\n",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
