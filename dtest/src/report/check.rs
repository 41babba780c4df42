//! Violations: what is said of every obligation of a program.

use serde::Serialize;

use super::explore::Kept;
use super::json::line;
use super::trace::TraceReport;
use dafny_syntax::diagnostic::Diagnostic;
use dafny_syntax::source::Span;
use dtest_engine::ir::ObligationKind;

/// What is known of an obligation; what says more comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// An execution breaks it.
    Violated,
    /// An execution breaks it that rests on something which nobody runs or checks.
    ViolatedAssuming,
    /// Nothing is known.
    NotDecided,
    /// No execution within the bounds breaks it.
    HoldsWithinBounds,
    /// No execution breaks it.
    Holds,
    /// No execution comes to it.
    NotReached,
}

/// An obligation, with what became of it.
#[derive(Debug, Clone, Serialize)]
pub struct ObligationReport {
    /// The Dafny path of the unit, from whose inputs the execution starts.
    pub unit: String,
    /// `path:line:column` of the obligation.
    pub place: String,
    /// The obligation.
    pub obligation: ObligationKind,
    /// Its text, on one line.
    pub text: String,
    /// `path:line:column` of the clause that says so, where it stands elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// What is known of it.
    pub standing: Standing,
    /// The same in a sentence.
    pub message: String,
    /// For a violation: in words, with the values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// For a violation: the unit's inputs, as `name = value`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<String>,
    /// For a violation: whether a choice falls otherwise than by the rule for choices.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_choice: bool,
    /// For a violation: what it rests on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<String>,
    /// For a violation: how its execution came to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceReport>,
    /// For a violation, where that is asked for: a Dafny method with `{:test}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dafny: Option<String>,
    /// For a violation: its execution, for `run --replay`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<Kept>,
    /// For what holds within bounds: those in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<String>,
    /// For what is not decided: why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// For what is not decided: whether inputs were found that violate it, of which it is not known whether they may be given.
    #[serde(skip)]
    pub is_candidate: bool,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
    /// The same as a message with places.
    #[serde(skip)]
    pub diagnostic: Diagnostic,
}

/// What is said of a program.
#[derive(Debug, Clone, Default)]
pub struct CheckReport {
    /// Units that were looked at.
    pub units: usize,
    /// Executions.
    pub executions: u64,
    /// Every obligation, in the order of the source.
    pub obligations: Vec<ObligationReport>,
}

/// The totals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct CheckTotals {
    pub units: usize,
    pub obligations: usize,
    pub violated: usize,
    pub violated_assuming: usize,
    pub holds: usize,
    pub holds_within_bounds: usize,
    pub not_decided: usize,
    #[serde(skip_serializing_if = "is_zero")]
    pub not_reached: usize,
    pub executions: u64,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl CheckReport {
    /// Adds the report of a further program.
    pub fn append(&mut self, other: Self) {
        self.units += other.units;
        self.executions += other.executions;
        self.obligations.extend(other.obligations);
    }

    /// How many obligations stand so.
    pub fn count(&self, standing: Standing) -> usize {
        self.obligations
            .iter()
            .filter(|p| p.standing == standing)
            .count()
    }

    /// The sums.
    pub fn totals(&self) -> CheckTotals {
        CheckTotals {
            units: self.units,
            obligations: self.obligations.len(),
            violated: self.count(Standing::Violated),
            violated_assuming: self.count(Standing::ViolatedAssuming),
            holds: self.count(Standing::Holds),
            holds_within_bounds: self.count(Standing::HoldsWithinBounds),
            not_decided: self.count(Standing::NotDecided),
            not_reached: self.count(Standing::NotReached),
            executions: self.executions,
        }
    }
}

/// The table: the last lines of a run.
pub fn table(report: &CheckReport, seconds: f64) -> String {
    let t = report.totals();
    let mut columns = vec![
        ("units", t.units.to_string()),
        ("obligations", t.obligations.to_string()),
        ("violated", t.violated.to_string()),
        ("assuming", t.violated_assuming.to_string()),
        ("hold", t.holds.to_string()),
        ("within bounds", t.holds_within_bounds.to_string()),
        ("not decided", t.not_decided.to_string()),
        ("executions", t.executions.to_string()),
        ("seconds", format!("{seconds:.2}")),
    ];
    if t.not_reached > 0 {
        columns.insert(6, ("not reached", t.not_reached.to_string()));
    }
    super::human::columns(&columns)
}

/// Lines of JSON: one an obligation, then the totals.
pub fn json(report: &CheckReport) -> String {
    report
        .obligations
        .iter()
        .map(|p| line("obligation", p))
        .chain([line("summary", &report.totals())])
        .collect()
}

/// An obligation that breaks only by specifications.
#[derive(Serialize)]
pub struct WeakReport<'a> {
    /// The Dafny path of the unit.
    pub unit: &'a str,
    /// `path:line:column` of the obligation.
    pub place: String,
    /// In words.
    pub message: &'a str,
    /// The unit's inputs, as `name = value`.
    pub inputs: &'a [String],
    /// What specifications allow, in words.
    pub allowed: &'a [String],
}

impl WeakReport<'_> {
    /// As a line of JSON.
    pub fn json(&self) -> String {
        line("weak-specification", self)
    }
}
