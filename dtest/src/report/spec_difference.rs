//! The report of `spec --diff`: how the contracts of two versions of a program differ.

use serde::Serialize as Derive;

use super::json::line;
use super::place::Place;
use super::spec::ExampleReport;
use dafny_source::diagnostic::{Diagnostic, Severity};

/// The answer to the question for an example of a difference.
#[derive(Debug, Clone, PartialEq, Eq, Derive)]
pub struct FoundReport {
    /// `yes`, `no` or `undecided`.
    pub verdict: &'static str,
    /// Whether it is proved or, for `yes`, shown by the example.
    pub proved: bool,
    /// The bounds within which there is no example, if that is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<String>,
    /// The input, and the result if the question is about results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<ExampleReport>,
    /// The reason if it is undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl FoundReport {
    fn is_yes(&self) -> bool {
        self.verdict == "yes"
    }
}

/// The differences of a contract in both directions.
#[derive(Debug, Clone, PartialEq, Eq, Derive)]
pub struct Changes {
    /// Inputs that are accepted now, and were not before.
    pub accepted: FoundReport,
    /// Inputs that were accepted before, and are not now.
    pub rejected: FoundReport,
    /// Results that are allowed now, and were not before.
    pub allowed: FoundReport,
    /// Results that were allowed before, and are not now.
    pub forbidden: FoundReport,
}

impl Changes {
    fn all(&self) -> [&FoundReport; 4] {
        [
            &self.accepted,
            &self.rejected,
            &self.allowed,
            &self.forbidden,
        ]
    }
}

/// The difference of a unit.
#[derive(Debug, Clone, Derive)]
pub struct UnitDifference {
    /// The Dafny path.
    pub unit: String,
    /// `path:line:column` of its name, in the old version for a removed unit.
    pub place: Place,
    /// `changed` if the text of the contract, or of something that it refers to, differs; `added` or
    /// `removed` if only one version has the unit.
    pub status: &'static str,
    /// The differences, for a changed contract.
    #[serde(flatten)]
    pub changes: Option<Changes>,
    /// The differences in words.
    #[serde(skip)]
    pub diagnostics: Vec<Diagnostic>,
}

impl UnitDifference {
    /// Whether callers of the old version may not be correct for the new one.
    pub fn affects_callers(&self) -> bool {
        self.changes
            .as_ref()
            .is_some_and(|c| c.rejected.is_yes() || c.allowed.is_yes())
    }

    /// Whether an example shows a difference.
    pub fn is_different(&self) -> bool {
        self.changes
            .as_ref()
            .is_some_and(|c| c.all().into_iter().any(FoundReport::is_yes))
    }

    fn is_undecided(&self) -> bool {
        self.changes
            .as_ref()
            .is_some_and(|c| c.all().iter().any(|f| f.verdict == "undecided"))
    }
}

/// The differences of all units.
#[derive(Debug, Clone, Default)]
pub struct DifferenceReport {
    /// The units that differ in their texts: those of the new version in source order, then those
    /// that were removed.
    pub units: Vec<UnitDifference>,
    /// The number of units whose contracts are the same.
    pub unchanged: usize,
    /// Units that could not be compared, each with the reason.
    pub failed: Vec<(String, String)>,
}

/// The sums of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Derive)]
pub struct DifferenceTotals {
    /// The number of units in either version.
    pub units: usize,
    /// Units whose contracts are the same.
    pub unchanged: usize,
    /// Units whose contracts have other texts, and no known difference.
    pub equivalent: usize,
    /// Units with an example of a difference.
    pub different: usize,
    /// Units with a difference that affects callers.
    pub affects_callers: usize,
    /// Units that the old version lacks.
    pub added: usize,
    /// Units that the new version lacks.
    pub removed: usize,
    /// Units with an undecided question.
    pub undecided: usize,
}

impl DifferenceReport {
    /// Returns the sums.
    pub fn totals(&self) -> DifferenceTotals {
        let count = |is: fn(&UnitDifference) -> bool| self.units.iter().filter(|u| is(u)).count();
        DifferenceTotals {
            units: self.units.len() + self.unchanged + self.failed.len(),
            unchanged: self.unchanged,
            equivalent: count(|u| u.changes.is_some() && !u.is_different() && !u.is_undecided()),
            different: count(UnitDifference::is_different),
            affects_callers: count(UnitDifference::affects_callers),
            added: count(|u| u.status == "added"),
            removed: count(|u| u.status == "removed"),
            undecided: count(UnitDifference::is_undecided),
        }
    }

    /// Returns the messages. Equivalent and undecided contracts are only shown if `all`.
    pub fn diagnostics(&self, all: bool) -> Vec<Diagnostic> {
        let is_shown = |d: &&Diagnostic| {
            let is_example = d.id == "spec/newly-accepted" || d.id == "spec/newly-forbidden";
            all || d.severity != Severity::Note || is_example
        };
        let diagnostics = self.units.iter().flat_map(|u| &u.diagnostics);
        diagnostics.filter(is_shown).cloned().collect()
    }
}

/// Formats the table at the end of a run.
pub fn table(report: &DifferenceReport, seconds: f64) -> String {
    let t = report.totals();
    super::human::columns(&[
        ("units", t.units.to_string()),
        ("unchanged", t.unchanged.to_string()),
        ("equivalent", t.equivalent.to_string()),
        ("different", t.different.to_string()),
        ("affects callers", t.affects_callers.to_string()),
        ("added", t.added.to_string()),
        ("removed", t.removed.to_string()),
        ("not decided", t.undecided.to_string()),
        ("seconds", format!("{seconds:.2}")),
    ])
}

/// Formats the report as lines of JSON: one per unit, then the totals.
pub fn json(report: &DifferenceReport) -> String {
    report
        .units
        .iter()
        .map(|u| line("specification-difference", u))
        .chain([line("summary", &report.totals())])
        .collect()
}
