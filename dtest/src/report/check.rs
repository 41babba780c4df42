//! The report of `check`: the verdict on every obligation of a program.

use serde::Serialize;

use super::ProgramRow;
use super::explore::Kept;
use super::json::line;
use super::key::Key;
use super::place::Place;
use super::trace::TraceReport;
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;
use dtest_ir::ObligationKind;

/// The verdict on an obligation, the most informative first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// An execution violates it.
    Violated,
    /// An execution violates it, but the execution rests on an assumption or on external code that
    /// is not checked.
    ViolatedAssuming,
    /// The obligation is undecided.
    NotDecided,
    /// The obligation is proved within bounds: no execution within the bounds violates it.
    HoldsWithinBounds,
    /// The obligation is proved under assumptions that are not checked here.
    HoldsAssuming,
    /// The obligation is proved.
    Holds,
    /// The obligation is proved unreachable.
    NotReached,
}

/// An obligation with its verdict.
#[derive(Debug, Clone, Serialize)]
pub struct ObligationReport {
    /// The Dafny path of the unit that the execution starts from.
    pub unit: String,
    /// `path:line:column` of the obligation.
    pub place: Place,
    /// The obligation.
    pub obligation: ObligationKind,
    /// The key of the obligation.
    pub key: Key,
    /// The entry of `dtest.toml` or the baseline that accepts it, if it is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<String>,
    /// Its text, on one line.
    pub text: String,
    /// `path:line:column` of the clause that requires it, if it is elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// The verdict.
    pub standing: Standing,
    /// The verdict as a sentence.
    pub message: String,
    /// For a violation: a description with values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// For a violation: the unit's inputs, as `name = value`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<String>,
    /// For a violation: whether a nondeterministic choice differs from the rule for choices.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_choice: bool,
    /// For a violation or a proof: the assumptions that it rests on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<String>,
    /// For a violation: the steps of its execution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceReport>,
    /// For a violation, with `--dafny`: a Dafny method with `{:test}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dafny: Option<String>,
    /// For a violation: its execution, for `run --replay`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<Kept>,
    /// For an obligation that is proved within bounds: the bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<String>,
    /// For an undecided obligation: the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// For an undecided obligation: whether inputs were found that violate it but whose
    /// precondition is undecided.
    #[serde(skip)]
    pub is_candidate: bool,
    /// For an obligation without a violation: the specifications that admit one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_implied: Option<NotImpliedReport>,
    /// For an obligation that holds although the verifier could not prove it: the method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved: Option<ProvedReport>,
    /// The location of the obligation.
    #[serde(skip)]
    pub span: Span,
    /// The location of its clause.
    #[serde(skip)]
    pub clause_span: Option<Span>,
    /// The verdict as a diagnostic.
    #[serde(skip)]
    pub diagnostic: Diagnostic,
    /// The specifications that admit a violation, or the proof, as a diagnostic.
    #[serde(skip)]
    pub explained: Option<Diagnostic>,
}

/// The specifications that admit a violation that no execution shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotImpliedReport {
    /// The abstractions: no smaller set was found.
    pub by: Vec<AbstractionReport>,
    /// The unit's inputs, as `name = value`.
    pub inputs: Vec<String>,
    /// The results and states that the specifications allow, as sentences.
    pub states: Vec<String>,
    /// The specifications to strengthen, as a sentence.
    pub advice: String,
}

/// A callable or loop that is known by its specification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AbstractionReport {
    /// `contract`, `opaque`, `invariants` or `label`.
    pub kind: &'static str,
    /// The Dafny path of a callable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `path:line:column` of the callable or loop.
    pub place: Place,
}

/// The proof of an obligation that the verifier could not prove.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProvedReport {
    /// `for all executions` or `within bounds`.
    pub method: &'static str,
    /// The kinds of reasoning that the verifier may lack.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<&'static str>,
}

/// The report on a program.
#[derive(Debug, Clone, Default)]
pub struct CheckReport {
    /// The number of units that were checked.
    pub units: usize,
    /// The number of executions.
    pub executions: u64,
    /// Every obligation, in the order of the source.
    pub obligations: Vec<ObligationReport>,
    /// The totals of each program, if there are several.
    pub programs: Vec<ProgramRow<CheckTotals>>,
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
    #[serde(skip_serializing_if = "is_zero")]
    pub holds_assuming: usize,
    pub holds_within_bounds: usize,
    pub not_decided: usize,
    #[serde(skip_serializing_if = "is_zero")]
    pub not_reached: usize,
    /// Obligations without a violation that the specifications do not imply.
    #[serde(skip_serializing_if = "is_zero")]
    pub not_implied: usize,
    /// Violated or undecided obligations that an allow-list or a baseline accepts.
    #[serde(skip_serializing_if = "is_zero")]
    pub allowed: usize,
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
        self.programs.extend(other.programs);
    }

    /// Returns the number of obligations with this verdict.
    pub fn count(&self, standing: Standing) -> usize {
        self.obligations
            .iter()
            .filter(|p| p.standing == standing)
            .count()
    }

    /// Returns the number of obligations with this verdict that nothing accepts.
    pub fn failing(&self, standing: Standing) -> usize {
        let fails = |p: &&ObligationReport| p.standing == standing && p.allowed.is_none();
        self.obligations.iter().filter(fails).count()
    }

    /// Returns the number of obligations that specifications do not imply and that nothing accepts.
    pub fn failing_not_implied(&self) -> usize {
        let fails = |p: &&ObligationReport| p.not_implied.is_some() && p.allowed.is_none();
        self.obligations.iter().filter(fails).count()
    }

    /// Returns the totals.
    pub fn totals(&self) -> CheckTotals {
        CheckTotals {
            units: self.units,
            obligations: self.obligations.len(),
            violated: self.count(Standing::Violated),
            violated_assuming: self.count(Standing::ViolatedAssuming),
            holds: self.count(Standing::Holds),
            holds_assuming: self.count(Standing::HoldsAssuming),
            holds_within_bounds: self.count(Standing::HoldsWithinBounds),
            not_decided: self.count(Standing::NotDecided),
            not_reached: self.count(Standing::NotReached),
            not_implied: self
                .obligations
                .iter()
                .filter(|p| p.not_implied.is_some())
                .count(),
            allowed: self
                .obligations
                .iter()
                .filter(|p| p.allowed.is_some())
                .count(),
            executions: self.executions,
        }
    }
}

/// Formats the table at the end of a run.
pub fn table(report: &CheckReport, seconds: f64) -> String {
    let whole = report.totals();
    let rows = report.programs.iter();
    let rows = rows.map(|p| (&*p.program, cells(&p.totals, &whole, p.seconds)));
    super::human::with_programs(rows, &cells(&whole, &whole, seconds))
}

/// The cells of a row. The totals of all programs, `whole`, determine the columns.
fn cells(t: &CheckTotals, whole: &CheckTotals, seconds: f64) -> Vec<(&'static str, String)> {
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
    if whole.holds_assuming > 0 {
        columns.insert(5, ("hold, assuming", t.holds_assuming.to_string()));
    }
    if whole.not_reached > 0 {
        columns.insert(
            columns.len() - 3,
            ("not reached", t.not_reached.to_string()),
        );
    }
    if whole.not_implied > 0 {
        columns.insert(
            columns.len() - 2,
            ("not implied", t.not_implied.to_string()),
        );
    }
    if whole.allowed > 0 {
        columns.insert(columns.len() - 2, ("allowed", t.allowed.to_string()));
    }
    columns
}

/// Formats the report as lines of JSON: one per obligation, then the totals.
pub fn json(report: &CheckReport) -> String {
    report
        .obligations
        .iter()
        .map(|p| line("obligation", p))
        .chain(report.programs.iter().map(|p| line("program", p)))
        .chain([line("summary", &report.totals())])
        .collect()
}

/// An obligation that is violated only if code is abstracted by its specification.
#[derive(Serialize)]
pub struct WeakReport<'a> {
    /// The Dafny path of the unit.
    pub unit: &'a str,
    /// `path:line:column` of the obligation.
    pub place: Place,
    /// A description of the violation.
    pub message: &'a str,
    /// The unit's inputs, as `name = value`.
    pub inputs: &'a [String],
    /// The abstractions: no smaller set was found.
    pub by: &'a [AbstractionReport],
    /// Descriptions of the results that the specifications allow.
    pub allowed: &'a [String],
}

impl WeakReport<'_> {
    /// Formats the report as a line of JSON.
    pub fn json(&self) -> String {
        line("weak-specification", self)
    }
}
