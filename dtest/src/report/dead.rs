//! Dead code: what is said of every block that nothing reaches, and of those that could not be judged.

use serde::Serialize;

use super::json::line;
use dafny_syntax::diagnostic::Diagnostic;

/// How sure a claim is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sureness {
    /// No execution within the bounds comes to the block.
    WithinBounds,
    /// Only executions come to it for which something is otherwise than the program takes for granted: an assumption, or the contract of
    /// code that is not Dafny's. Perhaps it also takes one that breaks an assertion.
    GivenAssumptions,
    /// Only executions that break an assertion, an invariant or a callee's postcondition first come to it.
    GivenAssertions,
    /// No execution comes to it.
    Proved,
    /// Executions come to it, and it was proved that each violates an obligation: none that ends well passes.
    AlwaysFails,
}

/// One of the facts that together leave no way to a block.
#[derive(Debug, Clone, Serialize)]
pub struct Reason {
    /// Which kind of fact.
    pub kind: &'static str,
    /// In the program's terms.
    pub text: String,
    /// `path:line:column`.
    pub place: String,
}

/// A block that nothing reaches.
#[derive(Debug, Clone, Serialize)]
pub struct DeadBlock {
    /// The unit's Dafny path.
    pub unit: String,
    /// The goal in a phrase: with the unit, what an allow-list names.
    pub goal: String,
    /// `path:line:column` of the block.
    pub place: String,
    /// `line:column` of its end.
    pub end: String,
    /// That nothing comes there, in a sentence.
    pub message: String,
    /// How sure that is.
    pub claim: Sureness,
    /// Why.
    pub reasons: Vec<Reason>,
    /// Where the dead block is that this one lies in; its reasons are those of that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
    /// For what holds within bounds only: those in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<String>,
    /// What to raise to know more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub raise: Vec<String>,
    /// What allows it: an entry of `dtest.toml`, or an attribute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<String>,
    /// The same as a message with places.
    #[serde(skip)]
    pub diagnostic: Diagnostic,
}

/// A block that could not be judged.
#[derive(Debug, Clone, Serialize)]
pub struct OpenBlock {
    /// The unit's Dafny path.
    pub unit: String,
    /// The goal in a phrase.
    pub goal: String,
    /// `path:line:column` of the block.
    pub place: String,
    /// Why it could not be judged.
    pub reason: String,
    /// Where the block is of which the same is said that this one lies in, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
    /// The same as a message with places.
    #[serde(skip)]
    pub diagnostic: Diagnostic,
}

/// Everything that `dead` has to say.
#[derive(Debug, Clone, Default)]
pub struct DeadReport {
    /// Units looked at.
    pub units: usize,
    /// Blocks of them.
    pub blocks: usize,
    /// Blocks that some execution reaches.
    pub reached: usize,
    /// Blocks that nothing reaches, or nothing that ends well, in the order of the source.
    pub dead: Vec<DeadBlock>,
    /// Blocks that some execution reaches, but none that resolves every choice as the tests do.
    pub by_choice: Vec<OpenBlock>,
    /// Blocks that were reached, but only by executions that violate an obligation.
    pub by_finding: Vec<OpenBlock>,
    /// Blocks that could not be judged.
    pub open: Vec<OpenBlock>,
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
    /// Blocks that are reached, and whatever comes there violates an obligation.
    pub always_fails: usize,
    /// Of those that are claimed to be dead, or always to fail: how many an allow-list or an attribute allows.
    pub allowed: usize,
}

impl DeadReport {
    /// Adds the report of a further program.
    pub fn append(&mut self, other: Self) {
        self.units += other.units;
        self.blocks += other.blocks;
        self.reached += other.reached;
        self.dead.extend(other.dead);
        self.by_choice.extend(other.by_choice);
        self.by_finding.extend(other.by_finding);
        self.open.extend(other.open);
    }

    /// The sums.
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

    /// Whether something is dead that is not allowed, of this sureness at least.
    pub fn has_dead(&self, least: Sureness) -> bool {
        self.dead
            .iter()
            .any(|d| d.allowed.is_none() && d.claim >= least)
    }
}

/// The table: the last lines of a run.
pub fn table(report: &DeadReport, seconds: f64) -> String {
    let t = report.totals();
    let columns: [(&str, String); 11] = [
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
    ];
    super::human::columns(&columns)
}

/// Lines of JSON: one a block that is dead or always fails, one a block that only other choices or findings reach, one a block that is open,
/// then the totals.
pub fn json(report: &DeadReport) -> String {
    let dead = report.dead.iter().map(|d| line("dead", d));
    let open = report.open.iter().map(|o| line("open", o));
    let by_choice = report.by_choice.iter().map(|o| line("choice", o));
    let by_finding = report.by_finding.iter().map(|o| line("finding", o));
    dead.chain(by_choice)
        .chain(by_finding)
        .chain(open)
        .chain([line("summary", &report.totals())])
        .collect()
}
