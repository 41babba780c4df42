//! The report of `dead`: unreachable blocks, blocks that always fail, and blocks whose reachability
//! is open.

use serde::Serialize;

use super::ProgramRow;
use super::json::line;
use super::key::Key;
use super::place::{End, Place};
use dafny_source::diagnostic::Diagnostic;

/// The strength of a claim, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sureness {
    /// No execution within the bounds reaches the block.
    WithinBounds,
    /// The block is reached only if an assumption of the program is false, or the contract of
    /// external code is violated; possibly an assertion is violated as well.
    GivenAssumptions,
    /// The block is reached only after an assertion, an invariant or the postcondition of a callee
    /// is violated.
    GivenAssertions,
    /// The block is proved unreachable.
    Proved,
    /// The block is reached, and it is proved that every execution that reaches it violates an
    /// obligation.
    AlwaysFails,
}

/// One of the facts that together make a block unreachable.
#[derive(Debug, Clone, Serialize)]
pub struct Reason {
    /// The kind of the fact.
    pub kind: &'static str,
    /// A description in terms of the program.
    pub text: String,
    /// `path:line:column` of the fact.
    pub place: Place,
}

/// An unreachable block, or one that always fails.
#[derive(Debug, Clone, Serialize)]
pub struct DeadBlock {
    /// The unit's Dafny path.
    pub unit: String,
    /// A phrase that describes the goal. An allow-list names the unit and this phrase.
    pub goal: String,
    /// The key of the block.
    pub key: Key,
    /// `path:line:column` of the block.
    pub place: Place,
    /// `line:column` of its end.
    pub end: End,
    /// The claim as a sentence.
    pub message: String,
    /// The strength of the claim.
    pub claim: Sureness,
    /// The reasons of the claim.
    pub reasons: Vec<Reason>,
    /// The location of the enclosing dead block; its reasons apply to this block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
    /// For a claim within bounds: the bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<String>,
    /// The options to raise for a stronger claim.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub raise: Vec<String>,
    /// The entry of `dtest.toml`, the attribute or the baseline that allows the block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<String>,
    /// The claim as a diagnostic.
    #[serde(skip)]
    pub diagnostic: Diagnostic,
}

/// A block whose reachability is open.
#[derive(Debug, Clone, Serialize)]
pub struct OpenBlock {
    /// The unit's Dafny path.
    pub unit: String,
    /// A phrase that describes the goal.
    pub goal: String,
    /// `path:line:column` of the block.
    pub place: Place,
    /// The reason why it is open.
    pub reason: String,
    /// The location of the enclosing block with the same reason, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
    /// The claim as a diagnostic.
    #[serde(skip)]
    pub diagnostic: Diagnostic,
}

/// The results of `dead`.
#[derive(Debug, Clone, Default)]
pub struct DeadReport {
    /// The number of units.
    pub units: usize,
    /// The number of blocks.
    pub blocks: usize,
    /// The number of reached blocks.
    pub reached: usize,
    /// Each unit with its place and the number of its reached blocks.
    pub reached_by_unit: Vec<(String, Place, usize)>,
    /// Unreachable blocks and blocks that always fail, in source order.
    pub dead: Vec<DeadBlock>,
    /// Blocks that are reached, but only if a choice differs from the rule of tests.
    pub by_choice: Vec<OpenBlock>,
    /// Blocks that are reached only by executions that violate an obligation.
    pub by_finding: Vec<OpenBlock>,
    /// Blocks whose reachability is open.
    pub open: Vec<OpenBlock>,
    /// The totals of each program, if there are several.
    pub programs: Vec<ProgramRow<DeadTotals>>,
}

/// The totals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct DeadTotals {
    pub units: usize,
    pub blocks: usize,
    pub reached: usize,
    pub proved: usize,
    pub given_assertions: usize,
    pub given_assumptions: usize,
    pub within_bounds: usize,
    pub open: usize,
    /// Blocks that are reached only by executions that violate an obligation, which is proved.
    pub always_fails: usize,
    /// The number of dead or always failing blocks that an allow-list or an attribute allows.
    pub allowed: usize,
}

impl DeadReport {
    /// Adds the report of a further program.
    pub fn append(&mut self, other: Self) {
        self.units += other.units;
        self.blocks += other.blocks;
        self.reached += other.reached;
        self.reached_by_unit.extend(other.reached_by_unit);
        self.dead.extend(other.dead);
        self.by_choice.extend(other.by_choice);
        self.by_finding.extend(other.by_finding);
        self.open.extend(other.open);
        self.programs.extend(other.programs);
    }

    /// Returns the totals.
    pub fn totals(&self) -> DeadTotals {
        let count = |s: Sureness| self.dead.iter().filter(|d| d.claim == s).count();
        DeadTotals {
            units: self.units,
            blocks: self.blocks,
            reached: self.reached
                + self.by_choice.len()
                + self.by_finding.len()
                + count(Sureness::AlwaysFails),
            proved: count(Sureness::Proved),
            given_assertions: count(Sureness::GivenAssertions),
            given_assumptions: count(Sureness::GivenAssumptions),
            always_fails: count(Sureness::AlwaysFails),
            within_bounds: count(Sureness::WithinBounds),
            open: self.open.len(),
            allowed: self.dead.iter().filter(|d| d.allowed.is_some()).count(),
        }
    }

    /// Whether a block that is not allowed is dead with at least this strength.
    pub fn has_dead(&self, least: Sureness) -> bool {
        self.dead
            .iter()
            .any(|d| d.allowed.is_none() && d.claim >= least)
    }
}

/// Formats the table at the end of a run.
pub fn table(report: &DeadReport, seconds: f64) -> String {
    let rows = report.programs.iter();
    let rows = rows.map(|p| (&*p.program, cells(&p.totals, p.seconds).to_vec()));
    super::human::with_programs(rows, &cells(&report.totals(), seconds))
}

/// The cells of a row.
fn cells(t: &DeadTotals, seconds: f64) -> [(&'static str, String); 11] {
    [
        ("units", t.units.to_string()),
        ("blocks", t.blocks.to_string()),
        ("reached", t.reached.to_string()),
        ("dead: proved", t.proved.to_string()),
        ("given assertions", t.given_assertions.to_string()),
        ("assumptions", t.given_assumptions.to_string()),
        ("within bounds", t.within_bounds.to_string()),
        ("always fails", t.always_fails.to_string()),
        ("open", t.open.to_string()),
        ("allowed", t.allowed.to_string()),
        ("seconds", format!("{seconds:.2}")),
    ]
}

/// Formats the report as lines of JSON: one per block that is dead or always fails, one per block
/// that only other choices or violations reach, one per open block, then the totals.
pub fn json(report: &DeadReport) -> String {
    let dead = report.dead.iter().map(|d| line("dead", d));
    let open = report.open.iter().map(|o| line("open", o));
    let by_choice = report.by_choice.iter().map(|o| line("choice", o));
    let by_finding = report.by_finding.iter().map(|o| line("finding", o));
    dead.chain(by_choice)
        .chain(by_finding)
        .chain(open)
        .chain(report.programs.iter().map(|p| line("program", p)))
        .chain([line("summary", &report.totals())])
        .collect()
}
