//! Contracts that say too little: mutants that keep them and do something else.

use serde::Serialize;

use super::json::line;
use dafny_syntax::diagnostic::Diagnostic;
use dtest_engine::mutants::MutationKind;

/// What the contract of a unit says of a mutant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "status")]
pub enum ContractStatus {
    /// On an input of the suite it does not hold.
    Refused {
        /// The input.
        inputs: Vec<String>,
    },
    /// It holds on all inputs of the suite, and on this one the mutant does something else than the unit.
    Allowed {
        /// The input.
        inputs: Vec<String>,
        /// What the unit does.
        unit_gives: String,
        /// What the mutant does.
        mutant_gives: String,
    },
    /// On all inputs of the suite the mutant does what the unit does.
    Same,
    /// Callers know the function by its body, and it obligations nothing else.
    Transparent,
    /// It is not known of all inputs whether it holds, or there is none.
    NotDecided,
}

/// A mutant, and what the contract says of it.
#[derive(Debug, Clone, Serialize)]
pub struct ContractMutant {
    /// The Dafny path of the function or method that is changed.
    pub unit: String,
    /// `path:line:column` of what is changed.
    pub place: String,
    /// By which operator.
    pub operator: MutationKind,
    /// The change in a phrase.
    pub what: String,
    /// What the contract says.
    #[serde(flatten)]
    pub status: ContractStatus,
    /// The same for people, of one that the contract allows.
    #[serde(skip)]
    pub diagnostic: Option<Diagnostic>,
}

/// The mutants of units, those units first whose contracts allow the most.
#[derive(Debug, Clone, Default)]
pub struct ContractsReport {
    /// Each unit's mutants, in the order of its code.
    pub units: Vec<Vec<ContractMutant>>,
    /// Units whose mutants could not be run, each with the reason.
    pub failed: Vec<(String, String)>,
}

/// The sums of a report.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct ContractsTotals {
    /// Units looked at.
    pub units: usize,
    /// Mutants of them.
    pub mutants: usize,
    /// Those that break the contract.
    pub refused: usize,
    /// Those that keep it and do something else.
    pub allowed: usize,
    /// Those that do the same on all inputs of the suite.
    pub same: usize,
    /// Those of functions that callers know by their bodies alone.
    pub transparent: usize,
    /// Those of which that is not known.
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

    /// All mutants.
    pub fn mutants(&self) -> impl Iterator<Item = &ContractMutant> {
        self.units.iter().flatten()
    }

    /// The sums.
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

/// The table: the last lines of a run.
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

/// Lines of JSON: one a mutant, then the totals.
pub fn json(report: &ContractsReport) -> String {
    report
        .mutants()
        .map(|m| line("contract-mutant", m))
        .chain([line("summary", &report.totals())])
        .collect()
}
