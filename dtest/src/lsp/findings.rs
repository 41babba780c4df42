//! Results of searches, as locations in the texts of a program: violated obligations, dead blocks,
//! surviving mutants, goals without tests.
//!
//! [`Findings::take`] replaces the results of a search, and [`Findings::now`] carries their
//! locations over to newer texts; a result whose text was edited is dropped.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::documents::{Encoding, Lines, carried};
use crate::message::MessageId;
use crate::report::place::{End, Place};
use dafny_source::LineColumn;
use dtest_sorted::{SortedMap, SortedSet};

/// The search that found a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// `check`.
    Check,
    /// `dead`.
    Dead,
    /// `mutants`.
    Mutants,
    /// `gen`.
    Tests,
}

/// The presentation of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// An execution violates an obligation.
    Error,
    /// An execution violates an obligation under an assumption.
    Warning,
    /// Unreachable code.
    Faded,
    /// Other information.
    Hint,
}

/// A byte range of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceRange {
    /// The file.
    pub path: PathBuf,
    /// The byte range.
    pub bytes: std::ops::Range<usize>,
}

/// A step of an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The location.
    pub at: SourceRange,
    /// A description of the step.
    pub text: String,
    /// The variables before the step that changed.
    pub variables: Vec<String>,
}

/// A clause that is known to fix a violation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// The clause.
    pub clause: String,
    /// The position at which it is inserted, as an empty range.
    pub at: SourceRange,
    /// The inserted text.
    pub text: String,
}

/// A result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The search.
    pub origin: Origin,
    /// The Dafny path of the unit.
    pub unit: String,
    /// The location.
    pub at: SourceRange,
    /// The presentation of a result.
    pub weight: Weight,
    /// The id of the message.
    pub id: String,
    /// The message.
    pub message: String,
    /// For a violation: the execution.
    pub steps: Vec<Step>,
    /// For a violation: the variables at its end.
    pub end: Vec<String>,
    /// For a violation: the clause that is known to fix it.
    pub fix: Option<Fix>,
}

/// All results of searches on a program.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// The results in the order in which they were found.
    pub all: Vec<Finding>,
    /// The number of tests of each unit.
    pub tests: SortedMap<String, usize>,
    /// For each unit, the number of killed mutants, and of mutants that are not known to be
    /// equivalent.
    pub mutants: SortedMap<String, (usize, usize)>,
    /// For each checked unit, the number of violated obligations.
    pub checked: SortedMap<String, usize>,
    /// The texts that the locations refer to.
    texts: SortedMap<PathBuf, Arc<str>>,
}

/// The scope of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// The search.
    pub origin: Origin,
    /// One unit, or all.
    pub unit: Option<String>,
}

impl Scope {
    /// Whether a new search in this scope replaces the earlier results of a unit.
    fn covers(&self, origin: Origin, unit: &str) -> bool {
        // The contract of a unit is a unit of its own: `F.ensures`.
        let is_of = |wanted: &String| {
            unit.strip_prefix(wanted.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.origin == origin && self.unit.as_ref().is_none_or(is_of)
    }
}

impl Findings {
    /// Parses the JSON lines that a search printed, and replaces its earlier results.
    pub fn take(
        &mut self,
        scope: &Scope,
        output: &str,
        root: &Path,
        texts: &SortedMap<PathBuf, Arc<str>>,
    ) {
        // The new results replace all earlier ones of the same search and scope.
        self.settle(texts);
        self.all.retain(|f| !scope.covers(f.origin, &f.unit));
        match scope.origin {
            Origin::Check => self.checked.retain(|u, _| !scope.covers(Origin::Check, u)),
            Origin::Mutants => self
                .mutants
                .retain(|u, _| !scope.covers(Origin::Mutants, u)),
            Origin::Tests => self.tests.retain(|u, _| !scope.covers(Origin::Tests, u)),
            Origin::Dead => {}
        }
        let reader = Reader { root, texts };
        for line in output.lines() {
            let Ok(record) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            match text(&record, "kind") {
                "obligation" => self.obligation(&record, &reader),
                "dead" => self.all.extend(reader.dead(&record)),
                "mutant" => self.mutant(&record, &reader),
                "unit" if scope.origin == Origin::Tests => self.unit(&record, &reader),
                "own-test" => self.own_test(&record, &reader),
                _ => {}
            }
        }
        self.remove_repeated();
    }

    /// Removes violations that `gen` found where `check` found one too, which has its execution.
    fn remove_repeated(&mut self) {
        let violated: SortedSet<(PathBuf, usize)> = self
            .all
            .iter()
            .filter(|f| f.origin == Origin::Check && f.weight == Weight::Error)
            .flat_map(|f| std::iter::once(&f.at).chain(f.steps.iter().map(|s| &s.at)))
            .map(|at| (at.path.clone(), at.bytes.start))
            .collect();
        self.all.retain(|f| {
            f.origin != Origin::Tests
                || f.weight != Weight::Error
                || !violated.contains(&(f.at.path.clone(), f.at.bytes.start))
        });
    }

    /// Carries all locations over to newer texts; results in changed text are dropped.
    fn settle(&mut self, texts: &SortedMap<PathBuf, Arc<str>>) {
        let old = std::mem::take(&mut self.texts);
        self.texts.clone_from(texts);
        // A finding is dropped if its place was edited; its steps and fix survive separately.
        let moved = |s: &SourceRange| moved(s, old.get(&s.path)?, texts.get(&s.path)?);
        self.all = std::mem::take(&mut self.all)
            .into_iter()
            .filter_map(|f| {
                let at = moved(&f.at)?;
                let steps = f
                    .steps
                    .into_iter()
                    .filter_map(|s| {
                        Some(Step {
                            at: moved(&s.at)?,
                            ..s
                        })
                    })
                    .collect();
                let fix = f.fix.and_then(|m| {
                    Some(Fix {
                        at: moved(&m.at)?,
                        ..m
                    })
                });
                Some(Finding {
                    at,
                    steps,
                    fix,
                    ..f
                })
            })
            .collect();
    }

    /// Records the fix of a violation.
    pub fn fixed(&mut self, finding: &Finding, fix: Fix) {
        let is_same =
            |f: &&mut Finding| f.unit == finding.unit && f.id == finding.id && f.at == finding.at;
        if let Some(found) = self.all.iter_mut().find(is_same) {
            found.fix = Some(fix);
        }
    }

    /// Returns the present range in a file's text of a range of the searched texts; `None` if the
    /// text was changed there.
    pub fn now(&self, at: &SourceRange, text: &str) -> Option<std::ops::Range<usize>> {
        moved(at, self.texts.get(&at.path)?, text).map(|s| s.bytes)
    }

    fn obligation(&mut self, record: &Value, reader: &Reader<'_>) {
        // All obligations are counted; only violated ones become diagnostics.
        let unit = text(record, "unit").to_owned();
        let count = self.checked.entry(unit.clone()).or_default();
        let weight = match text(record, "standing") {
            "violated" => Weight::Error,
            "violated-assuming" => Weight::Warning,
            _ => return,
        };
        *count += 1;
        let at = place_of(record)
            .and_then(|place| reader.range(&place, End::default(), text(record, "text")));
        let Some(at) = at else {
            return;
        };
        // The message: inputs, actual values, assumptions; the trace becomes related information.
        let inputs = list(record, "inputs");
        let with = if inputs.is_empty() {
            "no inputs".to_owned()
        } else {
            inputs.join(", ")
        };
        let mut message = format!("{}\nin `{unit}` with {with}", text(record, "message"));
        if let Some(detail) = record.get("detail").and_then(Value::as_str) {
            message.push_str(&format!("\n{detail}"));
        }
        for given in list(record, "given") {
            message.push_str(&format!("\nassuming {given}"));
        }
        let trace = record.get("trace");
        let steps = trace
            .and_then(|t| t.get("steps"))
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        let steps = steps.filter_map(|s| reader.step(s)).collect();
        let end = trace.map(|t| list(t, "end")).unwrap_or_default();
        let id = format!("check/{}", text(record, "obligation"));
        self.all.push(Finding {
            origin: Origin::Check,
            unit,
            at,
            weight,
            id,
            message,
            steps,
            end,
            fix: None,
        });
    }

    fn mutant(&mut self, record: &Value, reader: &Reader<'_>) {
        let unit = text(record, "unit").to_owned();
        let (killed, counted) = match text(record, "status") {
            "killed" => (1, 1),
            "equivalent" => (0, 0),
            _ => (0, 1),
        };
        let sum = self.mutants.entry(unit.clone()).or_default();
        *sum = (sum.0 + killed, sum.1 + counted);
        if text(record, "status") != "survived" {
            return;
        }
        let Some(at) = reader.replaced(record) else {
            return;
        };
        let message = format!(
            "this mutant survives: no test of `{unit}` notices {}",
            text(record, "what")
        );
        self.all.push(hint(
            Origin::Mutants,
            unit,
            at,
            MessageId::MutantsSurvived.as_str(),
            message,
        ));
    }

    /// Records the violation in the execution of a `{:test}` method. It is reported with every run
    /// of its program.
    fn own_test(&mut self, record: &Value, reader: &Reader<'_>) {
        let test = text(record, "name");
        self.all
            .retain(|f| f.origin != Origin::Tests || f.unit != test);
        if let Some(finding) = record.get("finding") {
            self.violation(test, finding, reader);
        }
    }

    /// Records a violation that `gen` found.
    fn violation(&mut self, unit: &str, finding: &Value, reader: &Reader<'_>) {
        let at = place_of(finding).and_then(|place| reader.range(&place, End::default(), ""));
        let Some(at) = at else {
            return;
        };
        let inputs = list(finding, "inputs");
        let with = if inputs.is_empty() {
            "no inputs".to_owned()
        } else {
            inputs.join(", ")
        };
        let message = format!("{}\nin `{unit}` with {with}", text(finding, "message"));
        self.all.push(Finding {
            weight: Weight::Error,
            ..hint(
                Origin::Tests,
                unit.to_owned(),
                at,
                MessageId::TestViolation.as_str(),
                message,
            )
        });
    }

    fn unit(&mut self, record: &Value, reader: &Reader<'_>) {
        let unit = text(record, "unit").to_owned();
        let tests = record
            .get("tests")
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        self.tests.insert(unit.clone(), tests);
        let findings = record.get("findings").and_then(Value::as_array);
        for finding in findings.into_iter().flatten() {
            self.violation(&unit, finding, reader);
        }
        for goal in record
            .get("goals")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            // Proved unreachable goals need no test.
            let status = text(goal, "status");
            if matches!(status, "covered" | "unreachable") {
                continue;
            }
            let at = place_of(goal).and_then(|place| reader.range(&place, End::default(), ""));
            let Some(at) = at else {
                continue;
            };
            let why = goal
                .get("reason")
                .and_then(Value::as_str)
                .map_or_else(String::new, |r| format!(": {r}"));
            let message = format!(
                "no test of `{unit}` reaches this ({}, {status}{why})",
                text(goal, "goal")
            );
            self.all.push(hint(
                Origin::Tests,
                unit.clone(),
                at,
                MessageId::TestNotCovered.as_str(),
                message,
            ));
        }
    }
}

fn hint(origin: Origin, unit: String, at: SourceRange, id: &str, message: String) -> Finding {
    Finding {
        origin,
        unit,
        at,
        weight: Weight::Hint,
        id: id.to_owned(),
        message,
        steps: Vec::new(),
        end: Vec::new(),
        fix: None,
    }
}

fn moved(at: &SourceRange, old: &str, new: &str) -> Option<SourceRange> {
    let (start, end) = (
        carried(old, new, at.bytes.start)?,
        carried(old, new, at.bytes.end)?,
    );
    // If text was inserted in the range, the result no longer applies.
    let is_same = end.checked_sub(start)? == at.bytes.len();
    is_same.then(|| SourceRange {
        path: at.path.clone(),
        bytes: start..end,
    })
}

/// Returns the last record of a search on a whole program: its totals.
pub fn total(output: &str) -> Option<Value> {
    output
        .lines()
        .rev()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find(|r| text(r, "kind") == "summary")
}

fn text<'v>(record: &'v Value, key: &str) -> &'v str {
    record.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The place of a record.
fn place_of(record: &Value) -> Option<Place> {
    text(record, "place").parse().ok()
}

fn list(record: &Value, key: &str) -> Vec<String> {
    let items = record
        .get(key)
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    items.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Converts places of reports to ranges of the texts.
struct Reader<'r> {
    root: &'r Path,
    texts: &'r SortedMap<PathBuf, Arc<str>>,
}

impl Reader<'_> {
    /// Returns the range from a place to its end, or else to the end of the quoted text that stands
    /// there, or to the end of the line.
    fn range(&self, place: &Place, end: End, said: &str) -> Option<SourceRange> {
        let Place::In { path, at } = place else {
            return None;
        };
        let path = crate::cli::files::normalize(&self.root.join(path));
        let text = self.texts.get(&path)?;
        let lines = Lines::of(text, Encoding::Utf8);
        let start = lines.of_characters(at.line, at.column);
        let here = text.get(start..)?;
        let given = end.0.map(|at| lines.of_characters(at.line, at.column));
        let end = match given {
            Some(end) => end.max(start),
            None if !said.is_empty() && here.starts_with(said) => start + said.len(),
            None => lines.line_end(start),
        };
        Some(SourceRange {
            path,
            bytes: start..end,
        })
    }

    fn step(&self, record: &Value) -> Option<Step> {
        let said = text(record, "text");
        let at = self.range(&place_of(record)?, End::default(), said)?;
        let said = match record.get("iteration").and_then(Value::as_u64) {
            Some(n) => format!(
                "the loop, after {n} iteration{}",
                if n == 1 { "" } else { "s" }
            ),
            None => said.to_owned(),
        };
        Some(Step {
            at,
            text: said,
            variables: list(record, "variables"),
        })
    }

    fn dead(&self, record: &Value) -> Option<Finding> {
        let at = self.range(
            &place_of(record)?,
            text(record, "end").parse().unwrap_or_default(),
            "",
        )?;
        let mut message = format!(
            "{}: {}",
            text(record, "message"),
            text(record, "claim").replace('-', " ")
        );
        for reason in record
            .get("reasons")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            message.push_str(&format!("\n{}", text(reason, "text")));
        }
        let id = format!("dead/{}", text(record, "claim"));
        let unit = text(record, "unit").to_owned();
        Some(Finding {
            weight: Weight::Faded,
            ..hint(Origin::Dead, unit, at, &id, message)
        })
    }

    fn replaced(&self, record: &Value) -> Option<SourceRange> {
        let Some(change) = record.get("replacement") else {
            return self.range(&place_of(record)?, End::default(), "");
        };
        let number = |key: &str| {
            let number = change.get(key).and_then(Value::as_u64);
            number.and_then(|n| u32::try_from(n).ok()).unwrap_or(1)
        };
        let at = |line, column| LineColumn {
            line: number(line),
            column: number(column),
        };
        let place = Place::In {
            path: text(change, "path").to_owned(),
            at: at("line", "column"),
        };
        self.range(&place, End(Some(at("end_line", "end_column"))), "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "method M(x: int)\n  ensures x > 0\n{\n}\n";

    fn texts(text: &str) -> SortedMap<PathBuf, Arc<str>> {
        [(PathBuf::from("/p/a.dfy"), Arc::from(text))]
            .into_iter()
            .collect()
    }

    fn found() -> Findings {
        let line = r#"{"kind":"obligation","unit":"M","place":"a.dfy:2:11","obligation":"postcondition","text":"x > 0","standing":"violated","message":"it does not hold","inputs":["x = 0"],"trace":{"stack":[],"steps":[{"unit":"M","depth":1,"place":"a.dfy:3:1","text":"{","variables":["x = 0"]}],"end":["x = 0"]}}"#;
        let mut findings = Findings::default();
        findings.take(
            &Scope {
                origin: Origin::Check,
                unit: None,
            },
            line,
            Path::new("/p"),
            &texts(TEXT),
        );
        findings
    }

    #[test]
    fn violations_have_their_place_and_their_execution() {
        let found = found();
        let [violation] = found.all.as_slice() else {
            panic!("{found:?}")
        };
        assert_eq!(&TEXT[violation.at.bytes.clone()], "x > 0");
        assert_eq!(
            (
                violation.weight,
                violation.id.as_str(),
                violation.steps.len()
            ),
            (Weight::Error, "check/postcondition", 1)
        );
        assert_eq!(found.checked.get("M"), Some(&1));
    }

    /// The records of `gen` for a program whose own test violates a precondition.
    fn generated(findings: &mut Findings, unit: Option<&str>) {
        let lines = concat!(
            r#"{"kind":"unit","unit":"M","tests":["m::runs"],"goals":[],"findings":[{"place":"a.dfy:2:11","message":"it does not hold","inputs":["x = 0"]}]}"#,
            "\n",
            r#"{"kind":"own-test","name":"T","place":"a.dfy:1:8","finding":{"place":"a.dfy:1:1","message":"precondition of `M` does not hold","inputs":[]}}"#,
            "\n",
            r#"{"kind":"own-test","name":"U","place":"a.dfy:1:8"}"#,
        );
        let scope = Scope {
            origin: Origin::Tests,
            unit: unit.map(str::to_owned),
        };
        findings.take(&scope, lines, Path::new("/p"), &texts(TEXT));
    }

    #[test]
    fn violations_of_tests_are_errors_and_are_shown_once() {
        let messages = |findings: &Findings| {
            let errors = findings.all.iter().filter(|f| f.weight == Weight::Error);
            errors
                .map(|f| (f.id.clone(), f.message.clone()))
                .collect::<Vec<_>>()
        };
        let own = (
            "test/violation".to_owned(),
            "precondition of `M` does not hold\nin `T` with no inputs".to_owned(),
        );
        let of_unit = (
            "test/violation".to_owned(),
            "it does not hold\nin `M` with x = 0".to_owned(),
        );
        let mut findings = Findings::default();
        generated(&mut findings, None);
        assert_eq!(messages(&findings), [of_unit, own.clone()]);
        // A run of one unit reports the tests of the program again.
        generated(&mut findings, Some("M"));
        assert_eq!(messages(&findings).len(), 2);
        // `check` finds the violation of the unit too, with its execution.
        let mut checked = found();
        generated(&mut checked, None);
        let ids: Vec<String> = messages(&checked).into_iter().map(|(id, _)| id).collect();
        assert_eq!(ids, ["check/postcondition", "test/violation"]);
    }

    #[test]
    fn places_move_with_the_text_and_go_with_it() {
        let found = found();
        let at = &found.all[0].at;
        let moved = format!("// first\n{TEXT}");
        assert_eq!(
            found
                .now(at, &moved)
                .map(|r| moved[r].to_owned())
                .as_deref(),
            Some("x > 0")
        );
        assert_eq!(found.now(at, &TEXT.replace("> 0", ">= 0")), None);
    }

    #[test]
    fn a_search_of_one_unit_replaces_its_earlier_findings() {
        let mut found = found();
        found.take(
            &Scope {
                origin: Origin::Check,
                unit: Some("N".into()),
            },
            "",
            Path::new("/p"),
            &texts(TEXT),
        );
        assert_eq!(found.all.len(), 1);
        found.take(
            &Scope {
                origin: Origin::Check,
                unit: Some("M".into()),
            },
            "no json\n{}",
            Path::new("/p"),
            &texts(TEXT),
        );
        assert!(found.all.is_empty() && found.checked.is_empty());
    }
}
