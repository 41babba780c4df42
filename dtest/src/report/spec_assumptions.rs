//! The report of `spec --assumptions`: the assumptions that a program trusts, with evidence.

use serde::Serialize as Derive;

use super::json::line;
use super::place::Place;
use super::spec::Pairs;
use dafny_source::diagnostic::Diagnostic;

/// An assumption with its evidence.
#[derive(Debug, Clone, PartialEq, Eq, Derive)]
pub struct AssumptionReport {
    /// The Dafny path of the declaration that contains it.
    pub declaration: String,
    /// `path:line:column` of the statement, or of the name of the declaration.
    pub place: Place,
    /// The kind: `axiom`, `assume`, `no-body` and so on.
    pub assumption: &'static str,
    /// `refuted`, `proved`, `supported`, `not-executable` or `undecided`.
    pub evidence: &'static str,
    /// The inputs that refute it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Pairs>,
    /// The number of executions that support it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executions: Option<u64>,
    /// The bounds within which it is supported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<String>,
    /// The reason why it is not executable or undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The paths of the functions, methods and lemmas that depend on it.
    pub dependents: Vec<String>,
}

/// All assumptions in source order.
#[derive(Debug, Clone, Default)]
pub struct AssumptionsReport {
    /// The assumptions.
    pub assumptions: Vec<AssumptionReport>,
    /// A message for each.
    pub diagnostics: Vec<Diagnostic>,
}

/// The sums of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Derive)]
pub struct AssumptionTotals {
    /// The number of assumptions.
    pub assumptions: usize,
    /// The number of assumptions that an input refutes.
    pub refuted: usize,
    /// The number of proved assumptions.
    pub proved: usize,
    /// The number of assumptions that executions support.
    pub supported: usize,
    /// The number of assumptions that are not executable.
    pub not_executable: usize,
    /// The number of undecided assumptions.
    pub undecided: usize,
}

impl AssumptionsReport {
    /// Adds the report of a further program.
    pub fn append(&mut self, other: Self) {
        self.assumptions.extend(other.assumptions);
        self.diagnostics.extend(other.diagnostics);
    }

    /// Returns the sums.
    pub fn totals(&self) -> AssumptionTotals {
        let count = |evidence: &str| {
            let all = self.assumptions.iter();
            all.filter(|a| a.evidence == evidence).count()
        };
        AssumptionTotals {
            assumptions: self.assumptions.len(),
            refuted: count("refuted"),
            proved: count("proved"),
            supported: count("supported"),
            not_executable: count("not-executable"),
            undecided: count("undecided"),
        }
    }
}

/// Formats the table at the end of a run.
pub fn table(report: &AssumptionsReport, seconds: f64) -> String {
    let t = report.totals();
    super::human::columns(&[
        ("assumptions", t.assumptions.to_string()),
        ("refuted", t.refuted.to_string()),
        ("proved", t.proved.to_string()),
        ("supported", t.supported.to_string()),
        ("not executable", t.not_executable.to_string()),
        ("not decided", t.undecided.to_string()),
        ("seconds", format!("{seconds:.2}")),
    ])
}

/// Formats the report as lines of JSON: one per assumption, then the totals.
pub fn json(report: &AssumptionsReport) -> String {
    report
        .assumptions
        .iter()
        .map(|a| line("specification-assumption", a))
        .chain([line("summary", &report.totals())])
        .collect()
}
