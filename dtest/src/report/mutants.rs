//! The report of `mutants`: the status of each mutant, and the totals.

use crate::message::MessageId;
use serde::{Deserialize, Serialize};

use super::ProgramRow;
use super::json::line;
use super::key::Key;
use super::place::Place;
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Region, SourceMap, Span};
use dtest_mutants::MutationKind;

/// The status of a mutant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "status")]
pub enum MutantStatus {
    /// A test kills the mutant.
    Killed {
        /// The unit and the name of the test.
        test: String,
    },
    /// The mutant survives. It may be equivalent, or a test is missing.
    Survived,
    /// The mutant survives because it is equivalent to the unit: proved.
    Equivalent,
    /// The mutant survives, and no execution within the bounds distinguishes it from the unit.
    EquivalentWithin {
        /// A description of the bounds.
        bounds: String,
    },
    /// The mutant was not run, because no test with a known result reaches its unit.
    Untested {
        /// The reason why there is no such test.
        reason: String,
    },
    /// Not all tests were run on the mutant, because the budget for the mutants of its unit was
    /// exhausted.
    NotRun,
}

/// A mutant and its status.
#[derive(Debug, Clone, Serialize)]
pub struct MutantReport {
    /// The Dafny path of the function or method that is changed.
    pub unit: String,
    /// `path:line:column` of the changed code.
    pub place: Place,
    /// The key of the mutant.
    pub key: Key,
    /// The entry of `dtest.toml` or the baseline that accepts that it survives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<String>,
    /// The mutation operator.
    pub operator: MutationKind,
    /// A phrase that describes the change.
    pub what: String,
    /// The status.
    #[serde(flatten)]
    pub status: MutantStatus,
    /// For a surviving mutant: the diagnostic.
    #[serde(skip)]
    pub diagnostic: Diagnostic,
    /// The change of the source that results in the mutant; `None` if it cannot be expressed in the
    /// source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replacement: Option<Replacement>,
}

/// A change of the program's text. Lines and columns are 1-based, columns count characters; the end
/// is exclusive.
#[derive(Debug, Clone, Serialize)]
pub struct Replacement {
    /// The replaced span.
    #[serde(skip)]
    pub span: Span,
    /// The path of the file.
    pub path: String,
    /// The line where it begins.
    pub line: u32,
    /// The column where it begins.
    pub column: u32,
    /// The line where it ends.
    pub end_line: u32,
    /// The column where it ends.
    pub end_column: u32,
    /// The new text.
    pub text: String,
}

impl Replacement {
    /// Creates the replacement of a span by a text; `None` if the span is in no file.
    pub fn new(span: Span, text: String, sources: &SourceMap) -> Option<Self> {
        let Region { path, start, end } = sources.region(span)?;
        Some(Self {
            span,
            path,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            text,
        })
    }
}

/// A surviving mutant, for the coverage report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survivor {
    /// The Dafny path of the function or method that is changed.
    pub unit: String,
    /// The changed region.
    pub region: Region,
    /// A phrase that describes the change.
    pub what: String,
    /// Whether no test with a known result reaches its unit.
    pub is_untested: bool,
}

/// The result of the compiled suite on a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compiled {
    /// A test fails or exceeds its time limit.
    Killed,
    /// Every test passes.
    Passes,
    /// The mutated text is not a valid program, or its translation does not compile.
    NoProgram,
}

/// A mutant that the compiled suite was run on.
#[derive(Debug, Clone, Serialize)]
pub struct Confirmation {
    /// The Dafny path of the function or method that is changed.
    pub unit: String,
    /// `path:line:column` of the changed code.
    pub place: Place,
    /// A phrase that describes the change.
    pub what: String,
    /// The result of the compiled suite.
    pub compiled: Compiled,
    /// Whether it agrees with the interpreter.
    pub agrees: bool,
}

/// The status of all mutants.
#[derive(Debug, Clone, Default)]
pub struct MutantsReport {
    /// The number of units.
    pub units: usize,
    /// The mutants, in the order of the units and of their code.
    pub mutants: Vec<MutantReport>,
    /// Units whose mutants could not be run, each with the reason.
    pub failed: Vec<(String, String)>,
    /// The totals of each program, if there are several.
    pub programs: Vec<ProgramRow<MutantsTotals>>,
}

/// The sums of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct MutantsTotals {
    /// The number of units.
    pub units: usize,
    /// The number of mutants.
    pub mutants: usize,
    /// Killed mutants.
    pub killed: usize,
    /// Surviving mutants that are not known to be equivalent, and that nothing accepts.
    pub survived: usize,
    /// Surviving mutants that an allow-list or a baseline accepts.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub allowed: usize,
    /// Mutants that are proved equivalent.
    pub equivalent: usize,
    /// Mutants that are equivalent within bounds.
    pub equivalent_within_bounds: usize,
    /// Mutants that were not run, because no test with a known result reaches their unit.
    pub untested: usize,
    /// Mutants on which not all tests were run, because the budget was exhausted.
    pub not_run: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl MutantsTotals {
    /// Adds the totals of other units.
    pub fn add(&mut self, other: &Self) {
        self.units += other.units;
        self.mutants += other.mutants;
        self.killed += other.killed;
        self.survived += other.survived;
        self.allowed += other.allowed;
        self.equivalent += other.equivalent;
        self.equivalent_within_bounds += other.equivalent_within_bounds;
        self.untested += other.untested;
        self.not_run += other.not_run;
    }

    /// Returns the number of mutants that are neither proved equivalent nor accepted.
    pub fn different(&self) -> usize {
        self.mutants - self.equivalent - self.allowed
    }

    /// Returns the percentage of killed mutants among those that are neither proved equivalent nor
    /// accepted.
    pub fn killed_percent(&self) -> f64 {
        if self.different() == 0 {
            100.0
        } else {
            100.0 * self.killed as f64 / self.different() as f64
        }
    }
}

impl MutantsReport {
    /// Adds the report of a further program.
    pub fn append(&mut self, other: Self) {
        self.units += other.units;
        self.mutants.extend(other.mutants);
        self.failed.extend(other.failed);
        self.programs.extend(other.programs);
    }

    /// Returns the totals.
    pub fn totals(&self) -> MutantsTotals {
        let count =
            |is: fn(&MutantStatus) -> bool| self.mutants.iter().filter(|m| is(&m.status)).count();
        MutantsTotals {
            units: self.units,
            mutants: self.mutants.len(),
            killed: count(|f| matches!(f, MutantStatus::Killed { .. })),
            survived: self.survivors().count(),
            allowed: self.mutants.iter().filter(|m| m.allowed.is_some()).count(),
            equivalent: count(|f| *f == MutantStatus::Equivalent),
            equivalent_within_bounds: count(|f| matches!(f, MutantStatus::EquivalentWithin { .. })),
            untested: count(|f| matches!(f, MutantStatus::Untested { .. })),
            not_run: count(|f| *f == MutantStatus::NotRun),
        }
    }

    /// Returns the surviving mutants that are neither equivalent nor accepted.
    pub fn survivors(&self) -> impl Iterator<Item = &MutantReport> {
        self.mutants
            .iter()
            .filter(|m| m.status == MutantStatus::Survived && m.allowed.is_none())
    }

    /// Removes the mutants after those of the first callable with a surviving mutant that nothing
    /// accepts, and their units from the count. `units` are the paths of the units. Returns whether
    /// there is such a mutant.
    pub fn end_at_survivor<'u>(&mut self, units: impl Iterator<Item = &'u str>) -> bool {
        let is_survivor =
            |m: &MutantReport| m.status == MutantStatus::Survived && m.allowed.is_none();
        let Some(first) = self.mutants.iter().position(is_survivor) else {
            return false;
        };
        let unit = self.mutants.get(first).map(|m| m.unit.clone());
        let mut rest = self.mutants.iter().enumerate().skip(first);
        if let Some((end, _)) = rest.find(|(_, m)| Some(&m.unit) != unit.as_ref()) {
            self.mutants.truncate(end);
        }
        let mut units = units;
        if let Some(index) = units.position(|path| Some(path) == unit.as_deref()) {
            self.units = index + 1;
        }
        true
    }

    /// Returns a diagnostic for each unit whose mutants were not run, with their number and the
    /// reason, at the first of them.
    pub fn untested(&self) -> Vec<Diagnostic> {
        let mut units: Vec<(&str, &str, usize, Option<Span>)> = Vec::new();
        for mutant in &self.mutants {
            let MutantStatus::Untested { reason } = &mutant.status else {
                continue;
            };
            match units
                .iter_mut()
                .find(|(unit, why, ..)| *unit == mutant.unit && why == reason)
            {
                Some((_, _, count, _)) => *count += 1,
                None => units.push((&mutant.unit, reason, 1, mutant.diagnostic.span)),
            }
        }
        let tell = |(unit, reason, count, span): (&str, &str, usize, Option<Span>)| {
            let mutants = if count == 1 {
                "1 mutant was".to_owned()
            } else {
                format!("{count} mutants were")
            };
            let message = format!("{mutants} not tried, because `{unit}` has no test: {reason}");
            match span {
                Some(span) => Diagnostic::warning(MessageId::MutantsUntested, span, message)
                    .with_label("the first mutant is here"),
                None => Diagnostic::global(MessageId::MutantsUntested, message),
            }
        };
        units.into_iter().map(tell).collect()
    }

    /// Returns the surviving mutants for the coverage report.
    pub fn shown_survivors(&self, sources: &SourceMap) -> Vec<Survivor> {
        let shown = |m: &MutantReport| {
            let region = sources.region(m.diagnostic.span?)?;
            Some(Survivor {
                unit: m.unit.clone(),
                region,
                what: m.what.clone(),
                is_untested: matches!(m.status, MutantStatus::Untested { .. }),
            })
        };
        self.mutants
            .iter()
            .filter(|m| {
                matches!(
                    m.status,
                    MutantStatus::Survived | MutantStatus::Untested { .. }
                )
            })
            .filter_map(shown)
            .collect()
    }
}

/// Formats the table at the end of a run.
pub fn table(report: &MutantsReport, seconds: f64) -> String {
    let whole = report.totals();
    let rows = report.programs.iter();
    let rows = rows.map(|p| (&*p.program, cells(&p.totals, &whole, p.seconds)));
    super::human::with_programs(rows, &cells(&whole, &whole, seconds))
}

/// The cells of a row. The totals of all programs, `whole`, determine the columns.
fn cells(t: &MutantsTotals, whole: &MutantsTotals, seconds: f64) -> Vec<(&'static str, String)> {
    let mut columns = vec![
        ("units", t.units.to_string()),
        ("mutants", t.mutants.to_string()),
        ("killed", t.killed.to_string()),
        ("survived", t.survived.to_string()),
        ("equivalent", t.equivalent.to_string()),
        ("within bounds", t.equivalent_within_bounds.to_string()),
        ("untested", t.untested.to_string()),
    ];
    if whole.allowed > 0 {
        columns.push(("allowed", t.allowed.to_string()));
    }
    if whole.not_run > 0 {
        columns.push(("not run", t.not_run.to_string()));
    }
    columns.push(("killed %", format!("{:.1}", t.killed_percent())));
    columns.push(("seconds", format!("{seconds:.2}")));
    columns
}

/// Formats the results of the compiled suite as a sentence.
pub fn confirmed(all: &[Confirmation]) -> String {
    let count = |compiled: Compiled| all.iter().filter(|c| c.compiled == compiled).count();
    let (killed, passes, none) = (
        count(Compiled::Killed),
        count(Compiled::Passes),
        count(Compiled::NoProgram),
    );
    let agrees = all
        .iter()
        .filter(|c| c.agrees && c.compiled != Compiled::NoProgram)
        .count();
    let none = if none == 0 {
        String::new()
    } else {
        format!(", {none} do not type-check")
    };
    format!(
        "compiled {} mutants: {killed} are killed, {passes} pass{none}; the interpreter agrees on {agrees}",
        all.len()
    )
}

/// Formats the report as lines of JSON: one per mutant, one per compiled mutant, then the totals.
pub fn json(report: &MutantsReport, confirmed: &[Confirmation]) -> String {
    #[derive(Serialize)]
    struct Summary {
        #[serde(flatten)]
        totals: MutantsTotals,
        killed_percent: f64,
    }
    let totals = report.totals();
    let summary = Summary {
        totals,
        killed_percent: totals.killed_percent(),
    };
    let mutants = report
        .mutants
        .iter()
        .map(|m| line("mutant", m))
        .chain(confirmed.iter().map(|c| line("compiled-mutant", c)))
        .chain(report.programs.iter().map(|p| line("program", p)));
    mutants.chain([line("summary", &summary)]).collect()
}

/// Formats the totals as a sentence, for the last line of `gen`.
pub fn sentence(totals: &MutantsTotals) -> String {
    let mut out = format!("kills {} of {} mutants", totals.killed, totals.different());
    if totals.equivalent_within_bounds > 0 {
        out += &format!(
            ", {} equivalent within bounds",
            totals.equivalent_within_bounds
        );
    }
    if totals.untested > 0 {
        out += &format!(
            ", {} not tried: no test of their units has a known result",
            totals.untested
        );
    }
    if totals.not_run > 0 {
        out += &format!(
            ", {} not run: the budget for their units' mutants is used up",
            totals.not_run
        );
    }
    out
}
