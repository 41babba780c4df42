//! The reports of `spec --mutants` and `spec --suggest`: mutants of contracts, and postconditions
//! that contracts lack.

use serde::Serialize as Derive;

use super::json::line;
use super::place::Place;
use super::spec::ExampleReport;
use dafny_source::diagnostic::Diagnostic;

/// A mutant of a contract.
#[derive(Debug, Clone, PartialEq, Eq, Derive)]
pub struct SpecMutant {
    /// The Dafny path.
    pub unit: String,
    /// `requires` or `ensures`.
    pub clause: &'static str,
    /// `path:line:column` of the changed part.
    pub place: Place,
    /// A phrase that describes the change.
    pub what: String,
    /// `weaker` or `stronger`.
    pub strength: &'static str,
    /// `differs`, `same`, `implemented` (stronger, and satisfied by the body) or `undecided`.
    pub status: &'static str,
    /// Whether the status is proved or shown by the example.
    pub proved: bool,
    /// The bounds, if the status is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<String>,
    /// An input or result that only the weaker one of contract and mutant accepts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<ExampleReport>,
    /// The reason if it is undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A postcondition that a contract lacks.
#[derive(Debug, Clone, PartialEq, Eq, Derive)]
pub struct SpecCandidate {
    /// The Dafny path.
    pub unit: String,
    /// `path:line:column` of its name.
    pub place: Place,
    /// The condition.
    pub text: String,
    /// A result that the contract accepts and the condition rejects.
    pub example: ExampleReport,
    /// The number of accepted results among those tried that the condition rejects.
    pub rejected: usize,
    /// The number of accepted results among those tried.
    pub accepted: usize,
    /// Whether the body is proved to satisfy the condition.
    pub proved: bool,
    /// The bounds within which it satisfies it, if that is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<String>,
}

/// Mutants and candidates of all units.
#[derive(Debug, Clone, Default)]
pub struct StrengthReport {
    /// The mutants.
    pub mutants: Vec<SpecMutant>,
    /// The candidates.
    pub candidates: Vec<SpecCandidate>,
    /// Idle parts, stronger clauses and candidates in words.
    pub diagnostics: Vec<Diagnostic>,
    /// Units that could not be examined, each with the reason.
    pub failed: Vec<(String, String)>,
}

/// Formats the report as lines of JSON.
pub fn json(report: &StrengthReport) -> String {
    let mutants = report.mutants.iter();
    let candidates = report.candidates.iter();
    mutants
        .map(|m| line("specification-mutant", m))
        .chain(candidates.map(|c| line("specification-candidate", c)))
        .collect()
}
