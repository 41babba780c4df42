//! Mutants: what became of each, and how many the suite notices.

use serde::Serialize;

use super::json::line;
use dafny_syntax::diagnostic::Diagnostic;
use dtest_engine::mutants::MutationKind;

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "fate")]
pub enum Fate {
    /// A test fails on it.
    Killed {
        /// The unit and the name of the test.
        test: String,
    },
    /// Every test passes: perhaps it does the same as the unit, perhaps a test is missing.
    Survived,
    /// No test comes to its unit whose result is known.
    Untested,
}

/// A mutant and its fate.
#[derive(Debug, Clone, Serialize)]
pub struct MutantReport {
    /// The Dafny path of the function or method that is changed.
    pub unit: String,
    /// `path:line:column` of what is changed.
    pub place: String,
    /// By which operator.
    pub operator: MutationKind,
    /// The change in a phrase.
    pub what: String,
    /// What became of it.
    #[serde(flatten)]
    pub fate: Fate,
    /// The same for people, of one that no test notices.
    #[serde(skip)]
    pub diagnostic: Diagnostic,
}

/// What became of all mutants.
#[derive(Debug, Clone, Default)]
pub struct MutantsReport {
    /// Units looked at.
    pub units: usize,
    /// The mutants, in the order of the units and of their code.
    pub mutants: Vec<MutantReport>,
    /// Units in which the interpreter failed: a bug of this tool.
    pub failed: Vec<String>,
}

/// The sums of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct MutantsTotals {
    /// Units looked at.
    pub units: usize,
    /// Mutants of them.
    pub mutants: usize,
    /// Those on which a test fails.
    pub killed: usize,
    /// Those that every test lets pass.
    pub survived: usize,
    /// Those that no test comes to whose result is known.
    pub untested: usize,
    /// The share that is killed, of all.
    pub killed_percent: f64,
}

impl MutantsReport {
    /// Adds the report of a further program.
    pub fn append(&mut self, other: Self) {
        self.units += other.units;
        self.mutants.extend(other.mutants);
        self.failed.extend(other.failed);
    }

    /// The sums.
    pub fn totals(&self) -> MutantsTotals {
        let count = |is: fn(&Fate) -> bool| self.mutants.iter().filter(|m| is(&m.fate)).count();
        let killed = count(|f| matches!(f, Fate::Killed { .. }));
        let killed_percent = if self.mutants.is_empty() { 100.0 } else { 100.0 * killed as f64 / self.mutants.len() as f64 };
        MutantsTotals {
            units: self.units,
            mutants: self.mutants.len(),
            killed,
            survived: count(|f| *f == Fate::Survived),
            untested: count(|f| *f == Fate::Untested),
            killed_percent,
        }
    }

    /// The mutants that no test notices.
    pub fn survivors(&self) -> impl Iterator<Item = &MutantReport> {
        self.mutants.iter().filter(|m| !matches!(m.fate, Fate::Killed { .. }))
    }
}

/// The table: the last lines of a run.
pub fn table(report: &MutantsReport, seconds: f64) -> String {
    let t = report.totals();
    super::human::columns(&[
        ("units", t.units.to_string()),
        ("mutants", t.mutants.to_string()),
        ("killed", t.killed.to_string()),
        ("survived", t.survived.to_string()),
        ("untested", t.untested.to_string()),
        ("killed %", format!("{:.1}", t.killed_percent)),
        ("seconds", format!("{seconds:.2}")),
    ])
}

/// Lines of JSON: one a mutant, then the totals.
pub fn json(report: &MutantsReport) -> String {
    report.mutants.iter().map(|m| line("mutant", m)).chain([line("summary", &report.totals())]).collect()
}
