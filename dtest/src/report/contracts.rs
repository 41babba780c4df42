//! The report of `mutants --contracts`: mutants that satisfy the contract of their unit but behave
//! differently.

use serde::Serialize;

use super::json::line;
use super::place::Place;
use dafny_source::diagnostic::Diagnostic;
use dtest_mutants::MutationKind;

/// The result of checking a mutant against the contract of its unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "status")]
pub enum ContractStatus {
    /// The mutant violates the contract on an input of the suite.
    Refused {
        /// The input.
        inputs: Vec<String>,
    },
    /// The mutant satisfies the contract on all inputs of the suite, and its result differs from
    /// the unit's on this one.
    Allowed {
        /// The input.
        inputs: Vec<String>,
        /// The result of the unit.
        unit_gives: String,
        /// The result of the mutant.
        mutant_gives: String,
    },
    /// The mutant has the results of the unit on all inputs of the suite.
    Same,
    /// The function is transparent: callers know its body, and it has no contract to weaken.
    Transparent,
    /// The contract is undecided on some input, or there is no input.
    NotDecided,
}

/// A mutant with its status.
#[derive(Debug, Clone, Serialize)]
pub struct ContractMutant {
    /// The Dafny path of the function or method that is changed.
    pub unit: String,
    /// `path:line:column` of what is changed.
    pub place: Place,
    /// The mutation operator.
    pub operator: MutationKind,
    /// A phrase that describes the change.
    pub what: String,
    /// The status of the mutant.
    #[serde(flatten)]
    pub status: ContractStatus,
    /// For an allowed mutant: the diagnostic.
    #[serde(skip)]
    pub diagnostic: Option<Diagnostic>,
}

/// The mutants of units; units whose contracts allow the most mutants come first.
#[derive(Debug, Clone, Default)]
pub struct ContractsReport {
    /// The mutants of each unit, in source order.
    pub units: Vec<Vec<ContractMutant>>,
    /// Units whose mutants could not be run, each with the reason.
    pub failed: Vec<(String, String)>,
}

/// The sums of a report.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct ContractsTotals {
    /// The number of units.
    pub units: usize,
    /// The number of mutants.
    pub mutants: usize,
    /// Mutants that violate the contract.
    pub refused: usize,
    /// Mutants that satisfy the contract but behave differently.
    pub allowed: usize,
    /// Mutants with the same results on all inputs of the suite.
    pub same: usize,
    /// Mutants of transparent functions.
    pub transparent: usize,
    /// Undecided mutants.
    pub not_decided: usize,
}

impl ContractsReport {
    /// Adds the report of a further program.
    pub fn append(&mut self, other: Self) {
        self.units.extend(other.units);
        self.failed.extend(other.failed);
        self.units.sort_by_key(|mutants| {
            std::cmp::Reverse(mutants.iter().filter(|m| m.is_allowed()).count())
        });
    }

    /// Returns all mutants.
    pub fn mutants(&self) -> impl Iterator<Item = &ContractMutant> {
        self.units.iter().flatten()
    }

    /// Returns the totals.
    pub fn totals(&self) -> ContractsTotals {
        let count =
            |is: fn(&ContractStatus) -> bool| self.mutants().filter(|m| is(&m.status)).count();
        ContractsTotals {
            units: self.units.len(),
            mutants: self.mutants().count(),
            refused: count(|f| matches!(f, ContractStatus::Refused { .. })),
            allowed: count(|f| matches!(f, ContractStatus::Allowed { .. })),
            same: count(|f| *f == ContractStatus::Same),
            transparent: count(|f| *f == ContractStatus::Transparent),
            not_decided: count(|f| *f == ContractStatus::NotDecided),
        }
    }
}

impl ContractMutant {
    fn is_allowed(&self) -> bool {
        matches!(self.status, ContractStatus::Allowed { .. })
    }
}

/// Formats the table at the end of a run.
pub fn table(report: &ContractsReport, seconds: f64) -> String {
    let t = report.totals();
    super::human::columns(&[
        ("units", t.units.to_string()),
        ("mutants", t.mutants.to_string()),
        ("refused", t.refused.to_string()),
        ("allowed", t.allowed.to_string()),
        ("same", t.same.to_string()),
        ("transparent", t.transparent.to_string()),
        ("not decided", t.not_decided.to_string()),
        ("seconds", format!("{seconds:.2}")),
    ])
}

/// Formats the report as lines of JSON: one per mutant, then the totals.
pub fn json(report: &ContractsReport) -> String {
    report
        .mutants()
        .map(|m| line("contract-mutant", m))
        .chain([line("summary", &report.totals())])
        .collect()
}
