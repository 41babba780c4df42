//! The report of `spec`: the answers on the contract of every unit.

use serde::Serialize as Derive;
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::json::line;
use super::place::Place;
use dafny_source::diagnostic::{Diagnostic, Severity};

/// Names with values, in order. As JSON, an object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pairs(Vec<(String, String)>);

impl From<Vec<(String, String)>> for Pairs {
    fn from(pairs: Vec<(String, String)>) -> Self {
        Self(pairs)
    }
}

impl Serialize for Pairs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// An input with accepted results: one for an accepted case, two if they differ, none if the
/// contract accepts none.
#[derive(Debug, Clone, PartialEq, Eq, Derive)]
pub struct ExampleReport {
    /// The inputs.
    pub inputs: Pairs,
    /// The results.
    pub results: Vec<Pairs>,
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Eq, Derive)]
pub struct VerdictReport {
    /// `yes`, `no` or `undecided`.
    pub verdict: &'static str,
    /// Whether it is proved or, for an answer that an example shows, certain.
    pub proved: bool,
    /// The bounds within which it holds, if it is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<String>,
    /// The texts of the clauses that exclude each other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflict: Vec<String>,
    /// The reason if it is undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl VerdictReport {
    /// The answer yes, within bounds or for all inputs.
    pub fn yes(bounds: Option<String>) -> Self {
        Self {
            verdict: "yes",
            proved: bounds.is_none(),
            bounds,
            conflict: Vec::new(),
            reason: None,
        }
    }

    /// The answer no, because of these clauses.
    pub fn no(bounds: Option<String>, conflict: Vec<String>) -> Self {
        Self {
            verdict: "no",
            conflict,
            ..Self::yes(bounds)
        }
    }

    /// No answer.
    pub fn undecided(reason: String) -> Self {
        Self {
            verdict: "undecided",
            proved: false,
            bounds: None,
            conflict: Vec::new(),
            reason: Some(reason),
        }
    }
}

/// The answer on the number of results.
#[derive(Debug, Clone, PartialEq, Eq, Derive)]
pub struct CompletenessReport {
    /// `determined`, `determined-up-to`, `open` or `undecided`.
    pub verdict: &'static str,
    /// The relation between results: `order` or `identity`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up_to: Option<&'static str>,
    /// Whether it is proved or, for `open`, shown by an example.
    pub proved: bool,
    /// The bounds within which it holds, if it is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<String>,
    /// Whether the contract is allowed to leave results open.
    pub allowed: bool,
    /// The reason if it is undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl CompletenessReport {
    /// The contract determines results, up to a relation.
    pub fn determined(up_to: Option<&'static str>, bounds: Option<String>) -> Self {
        Self {
            verdict: match up_to {
                Some(_) => "determined-up-to",
                None => "determined",
            },
            up_to,
            proved: bounds.is_none(),
            bounds,
            allowed: false,
            reason: None,
        }
    }

    /// The contract leaves results open.
    pub fn open(allowed: bool) -> Self {
        Self {
            verdict: "open",
            allowed,
            ..Self::determined(None, None)
        }
    }

    /// No answer.
    pub fn undecided(reason: String) -> Self {
        Self {
            verdict: "undecided",
            proved: false,
            reason: Some(reason),
            ..Self::determined(None, None)
        }
    }
}

/// The answer on a clause.
#[derive(Debug, Clone, PartialEq, Eq, Derive)]
pub struct ClauseReport {
    /// `requires` or `ensures`.
    pub clause: &'static str,
    /// The condition.
    pub text: String,
    /// `path:line:column`.
    pub place: Place,
    /// Whether the other clauses are proved to imply it; `None` if that is not decided.
    pub redundant: Option<bool>,
    /// Whether no example within the bounds needs the clause; `None` if that is not decided.
    pub idle: Option<bool>,
    /// What only this clause rejects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejects: Option<ExampleReport>,
    /// The bounds, or the reason why it is undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The answers on the contract of a unit.
#[derive(Debug, Clone, Derive)]
pub struct UnitSpec {
    /// The Dafny path.
    pub unit: String,
    /// `path:line:column` of its name.
    pub place: Place,
    /// Whether inputs satisfy the precondition.
    pub satisfiable: VerdictReport,
    /// Whether every accepted input has an accepted result.
    pub implementable: VerdictReport,
    /// Whether it has only one.
    pub completeness: CompletenessReport,
    /// Examples that the interpreter executed.
    pub examples: Vec<ExampleReport>,
    /// The clauses.
    pub clauses: Vec<ClauseReport>,
    /// The percentage of tried inputs with only one result; `null` if nothing is known.
    pub score: Option<f64>,
    /// The answers in words. Notes are shown on request only.
    #[serde(skip)]
    pub diagnostics: Vec<Diagnostic>,
}

impl UnitSpec {
    /// Whether the contract is contradictory or cannot be implemented.
    pub fn is_faulty(&self) -> bool {
        self.satisfiable.verdict == "no" || self.implementable.verdict == "no"
    }

    /// Whether the contract leaves results open that it should not.
    pub fn is_open(&self) -> bool {
        self.completeness.verdict == "open" && !self.completeness.allowed
    }
}

/// The answers on all units.
#[derive(Debug, Clone, Default)]
pub struct SpecReport {
    /// The units in source order.
    pub units: Vec<UnitSpec>,
    /// Units whose contracts could not be examined, each with the reason.
    pub failed: Vec<(String, String)>,
}

/// The sums of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Derive)]
pub struct SpecTotals {
    /// The number of units.
    pub units: usize,
    /// Units whose precondition no input satisfies.
    pub contradictory: usize,
    /// Units with an input that has no result.
    pub not_implementable: usize,
    /// Units that determine their results, also up to a relation.
    pub determined: usize,
    /// Units that leave results open, without those that are allowed to.
    pub open: usize,
    /// Units that are allowed to leave results open.
    pub allowed: usize,
    /// Units of which some question about existence or number of results is undecided.
    pub undecided: usize,
    /// Clauses that are proved to be implied by others.
    pub redundant: usize,
    /// The mean score of the units that have one.
    pub score: Option<f64>,
}

impl SpecReport {
    /// Adds the report of a further program.
    pub fn append(&mut self, other: Self) {
        self.units.extend(other.units);
        self.failed.extend(other.failed);
    }

    /// Returns the sums.
    pub fn totals(&self) -> SpecTotals {
        let count = |is: fn(&UnitSpec) -> bool| self.units.iter().filter(|u| is(u)).count();
        let scores: Vec<f64> = self.units.iter().filter_map(|u| u.score).collect();
        SpecTotals {
            units: self.units.len(),
            contradictory: count(|u| u.satisfiable.verdict == "no"),
            not_implementable: count(|u| u.implementable.verdict == "no"),
            determined: count(|u| u.completeness.verdict.starts_with("determined")),
            open: count(UnitSpec::is_open),
            allowed: count(|u| u.completeness.verdict == "open" && u.completeness.allowed),
            undecided: count(|u| {
                u.implementable.verdict == "undecided" || u.completeness.verdict == "undecided"
            }),
            redundant: self
                .units
                .iter()
                .flat_map(|u| &u.clauses)
                .filter(|c| c.redundant == Some(true))
                .count(),
            score: (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64),
        }
    }

    /// Returns the messages; notes only if `all`.
    pub fn diagnostics(&self, all: bool) -> Vec<Diagnostic> {
        self.units
            .iter()
            .flat_map(|u| &u.diagnostics)
            .filter(|d| all || d.severity != Severity::Note)
            .cloned()
            .collect()
    }
}

/// Formats the table at the end of a run.
pub fn table(report: &SpecReport, seconds: f64) -> String {
    let t = report.totals();
    let score = t
        .score
        .map_or_else(|| "-".to_owned(), |s| format!("{s:.0} %"));
    super::human::columns(&[
        ("units", t.units.to_string()),
        ("contradictory", t.contradictory.to_string()),
        ("not implementable", t.not_implementable.to_string()),
        ("determined", t.determined.to_string()),
        ("open", t.open.to_string()),
        ("allowed", t.allowed.to_string()),
        ("not decided", t.undecided.to_string()),
        ("redundant clauses", t.redundant.to_string()),
        ("score", score),
        ("seconds", format!("{seconds:.2}")),
    ])
}

/// Formats the report as lines of JSON: one per unit, then the totals.
pub fn json(report: &SpecReport) -> String {
    report
        .units
        .iter()
        .map(|u| line("specification", u))
        .chain([line("summary", &report.totals())])
        .collect()
}
