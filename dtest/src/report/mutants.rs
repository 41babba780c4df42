//! Mutants: what became of each, and how many the suite notices.

use serde::{Deserialize, Serialize};

use super::json::line;
use dafny_syntax::diagnostic::Diagnostic;
use dafny_syntax::source::{Region, SourceMap, Span};
use dtest_engine::mutants::MutationKind;

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "status")]
pub enum MutantStatus {
    /// A test fails on it.
    Killed {
        /// The unit and the name of the test.
        test: String,
    },
    /// Every test passes: perhaps it does the same as the unit, perhaps a test is missing.
    Survived,
    /// Every test passes, because it does the same as the unit in every execution: proved.
    Equivalent,
    /// Every test passes, and no execution within bounds tells it from the unit.
    EquivalentWithin {
        /// The bounds, in words.
        bounds: String,
    },
    /// It was not tried: no test comes to its unit whose result is known.
    Untested {
        /// Why there is none.
        reason: String,
    },
    /// Not all tests were run on it: the mutants of its unit cost what they may.
    NotRun,
}

/// A mutant and its status.
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
    pub status: MutantStatus,
    /// The same for people, of one that no test notices.
    #[serde(skip)]
    pub diagnostic: Diagnostic,
    /// The text that makes the program this mutant, in the place of that which stands there; `None`: it cannot be told as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replacement: Option<Replacement>,
}

/// A change of the program's text. Lines and columns count from 1, columns in characters; the end is after the last character.
#[derive(Debug, Clone, Serialize)]
pub struct Replacement {
    /// What is replaced.
    #[serde(skip)]
    pub span: Span,
    /// The file that it is in.
    pub path: String,
    /// The line where it begins.
    pub line: u32,
    /// The column where it begins.
    pub column: u32,
    /// The line where it ends.
    pub end_line: u32,
    /// The column where it ends.
    pub end_column: u32,
    /// What stands there instead.
    pub text: String,
}

impl Replacement {
    /// The text in the place of what a span covers; `None`: the span is in no file.
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

/// A mutant that no test notices, as a page shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survivor {
    /// The Dafny path of the function or method that is changed.
    pub unit: String,
    /// What is changed.
    pub region: Region,
    /// The change in a phrase.
    pub what: String,
    /// Whether no test comes to its unit whose result is known.
    pub is_untested: bool,
}

/// What the compiled suite says of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compiled {
    /// A test fails, or does not end within its time.
    Killed,
    /// Every test passes.
    Passes,
    /// The text of the mutant is no program, or its translation does not compile.
    NoProgram,
}

/// A mutant of which the compiled suite was asked too.
#[derive(Debug, Clone, Serialize)]
pub struct Confirmation {
    /// The Dafny path of the function or method that is changed.
    pub unit: String,
    /// `path:line:column` of what is changed.
    pub place: String,
    /// The change in a phrase.
    pub what: String,
    /// What the compiled suite says.
    pub compiled: Compiled,
    /// Whether that is what the interpreter says.
    pub agrees: bool,
}

/// What became of all mutants.
#[derive(Debug, Clone, Default)]
pub struct MutantsReport {
    /// Units looked at.
    pub units: usize,
    /// The mutants, in the order of the units and of their code.
    pub mutants: Vec<MutantReport>,
    /// Units whose mutants could not be run, each with the reason.
    pub failed: Vec<(String, String)>,
}

/// The sums of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct MutantsTotals {
    /// Units looked at.
    pub units: usize,
    /// Mutants of them.
    pub mutants: usize,
    /// Those on which a test fails.
    pub killed: usize,
    /// Those that every test lets pass, and of which no more is known.
    pub survived: usize,
    /// Those that are proved to do the same as the unit.
    pub equivalent: usize,
    /// Those that do the same as the unit within bounds.
    pub equivalent_within_bounds: usize,
    /// Those that were not tried: no test comes to their unit whose result is known.
    pub untested: usize,
    /// Those on which not all tests were run, since the mutants of their unit cost what they may.
    pub not_run: usize,
}

impl MutantsTotals {
    /// Adds those of other units.
    pub fn add(&mut self, other: &Self) {
        self.units += other.units;
        self.mutants += other.mutants;
        self.killed += other.killed;
        self.survived += other.survived;
        self.equivalent += other.equivalent;
        self.equivalent_within_bounds += other.equivalent_within_bounds;
        self.untested += other.untested;
        self.not_run += other.not_run;
    }

    /// Those that are not proved to do the same as the unit.
    pub fn different(&self) -> usize {
        self.mutants - self.equivalent
    }

    /// The share that is killed, of all that are not proved equivalent.
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
    }

    /// The sums.
    pub fn totals(&self) -> MutantsTotals {
        let count =
            |is: fn(&MutantStatus) -> bool| self.mutants.iter().filter(|m| is(&m.status)).count();
        MutantsTotals {
            units: self.units,
            mutants: self.mutants.len(),
            killed: count(|f| matches!(f, MutantStatus::Killed { .. })),
            survived: count(|f| *f == MutantStatus::Survived),
            equivalent: count(|f| *f == MutantStatus::Equivalent),
            equivalent_within_bounds: count(|f| matches!(f, MutantStatus::EquivalentWithin { .. })),
            untested: count(|f| matches!(f, MutantStatus::Untested { .. })),
            not_run: count(|f| *f == MutantStatus::NotRun),
        }
    }

    /// The mutants that every test lets pass, but for those that do the same as the unit.
    pub fn survivors(&self) -> impl Iterator<Item = &MutantReport> {
        self.mutants
            .iter()
            .filter(|m| m.status == MutantStatus::Survived)
    }

    /// The units whose mutants were not tried, each with their number and the reason, at the first of them.
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
                Some(span) => Diagnostic::warning("mutants/untested", span, message)
                    .with_label("the first mutant is here"),
                None => Diagnostic::global("mutants/untested", message),
            }
        };
        units.into_iter().map(tell).collect()
    }

    /// The same, as pages show them.
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

/// The table: the last lines of a run.
pub fn table(report: &MutantsReport, seconds: f64) -> String {
    let t = report.totals();
    let mut columns = vec![
        ("units", t.units.to_string()),
        ("mutants", t.mutants.to_string()),
        ("killed", t.killed.to_string()),
        ("survived", t.survived.to_string()),
        ("equivalent", t.equivalent.to_string()),
        ("within bounds", t.equivalent_within_bounds.to_string()),
        ("untested", t.untested.to_string()),
    ];
    if t.not_run > 0 {
        columns.push(("not run", t.not_run.to_string()));
    }
    columns.push(("killed %", format!("{:.1}", t.killed_percent())));
    columns.push(("seconds", format!("{seconds:.2}")));
    super::human::columns(&columns)
}

/// What the compiled suite says, in a sentence.
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

/// Lines of JSON: one a mutant, one a mutant that was compiled too, then the totals.
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
        .chain(confirmed.iter().map(|c| line("compiled-mutant", c)));
    mutants.chain([line("summary", &summary)]).collect()
}

/// The sums in a sentence, for the last line of `gen`.
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
