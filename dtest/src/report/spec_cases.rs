//! The report of `spec --cases`: verdicts on cases that contracts have to accept or to reject.

use serde::Serialize as Derive;

use super::json::line;
use dafny_source::diagnostic::Diagnostic;

/// The verdict on a case.
#[derive(Debug, Clone, PartialEq, Eq, Derive)]
pub struct CaseReport {
    /// The file and the number of the case.
    pub case: String,
    /// The Dafny path of the unit.
    pub unit: String,
    /// `accepted` or `rejected`: the verdict that the contract has to give.
    pub expected: &'static str,
    /// `accepted`, `rejected` or `undecided`.
    pub verdict: &'static str,
    /// The texts of the clauses that reject the case.
    pub clauses: Vec<String>,
    /// The bounds within which the results of a reference are accepted, if that is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<String>,
    /// The reason if it is undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl CaseReport {
    /// An undecided case.
    pub fn new(case: &str, unit: &str, is_accepted: bool) -> Self {
        Self {
            case: case.to_owned(),
            unit: unit.to_owned(),
            expected: match is_accepted {
                true => "accepted",
                false => "rejected",
            },
            verdict: "undecided",
            clauses: Vec::new(),
            bounds: None,
            reason: None,
        }
    }

    /// Whether the contract gives the other verdict.
    pub fn is_wrong(&self) -> bool {
        self.verdict != "undecided" && self.verdict != self.expected
    }
}

/// The verdicts on all cases.
#[derive(Debug, Clone, Default)]
pub struct CasesReport {
    /// The cases in order.
    pub cases: Vec<CaseReport>,
    /// Wrong and undecided verdicts in words.
    pub diagnostics: Vec<Diagnostic>,
}

impl CasesReport {
    /// Adds the verdicts on further cases.
    pub fn append(&mut self, other: Self) {
        self.cases.extend(other.cases);
        self.diagnostics.extend(other.diagnostics);
    }
}

/// Formats the report as lines of JSON.
pub fn json(report: &CasesReport) -> String {
    let cases = report.cases.iter();
    cases.map(|c| line("specification-case", c)).collect()
}
