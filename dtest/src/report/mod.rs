//! The outcome of every goal, and one renderer a format.
//!
//! Denominators are honest: goals are counted on the lowered program before anything is skipped; a unit
//! that is not supported leaves its goals open; *unreachable within bounds* counts as open unless the
//! bounds reached their caps.

pub mod dead;
pub mod human;
pub mod json;

use std::collections::BTreeMap;

use serde::Serialize;

/// What became of a goal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum GoalOutcome {
    /// A test of the suite reaches it.
    Covered {
        /// The test's path in the suite.
        test: String,
    },
    /// Only executions that break the program's own contract were found to reach it: see the findings.
    Finding,
    /// No execution reaches it.
    Unreachable {
        /// Why, in the program's terms, as far as it is known.
        reason: String,
    },
    /// No execution within the highest bounds reaches it.
    UnreachableAtCaps,
    /// No execution within the bounds tried reaches it.
    UnreachableWithinBounds {
        /// The bound to raise.
        bound: String,
    },
    /// The budget ran out.
    OutOfBudget {
        /// Which budget.
        reason: String,
    },
    /// Something in the way is not supported.
    Unsupported {
        /// What.
        reason: String,
    },
}

/// A goal and what became of it.
#[derive(Debug, Clone, Serialize)]
pub struct GoalReport {
    /// `path:line:column` of the block.
    pub place: String,
    /// The goal in a phrase.
    pub goal: String,
    /// What became of it.
    #[serde(flatten)]
    pub outcome: GoalOutcome,
}

/// A clause of a contract and whether the tests execute it.
#[derive(Debug, Clone, Serialize)]
pub struct ClauseReport {
    /// `path:line:column`.
    pub place: String,
    /// Its text.
    pub text: String,
    /// Why it is not executed; `None`: it is.
    pub not_executed: Option<String>,
}

/// Inputs that meet the precondition and break the program's own promises.
#[derive(Debug, Clone, Serialize)]
pub struct FindingReport {
    /// `path:line:column` of what broke.
    pub place: String,
    /// What broke.
    pub message: String,
    /// The inputs, `name = value`.
    pub inputs: Vec<String>,
}

/// A unit.
#[derive(Debug, Clone, Serialize)]
pub struct UnitReport {
    /// Its Dafny path.
    pub unit: String,
    /// `path:line:column`.
    pub place: String,
    /// Its goals in the order of the source.
    pub goals: Vec<GoalReport>,
    /// Names of its tests.
    pub tests: Vec<String>,
    /// Postconditions of its tests, where it has any.
    pub ensures: Vec<ClauseReport>,
    /// Preconditions that the interpreter could not decide for some test.
    pub preconditions_unknown: usize,
    /// Tests that check the value that Dafny's semantics gives.
    pub valued_tests: usize,
    /// Tests of executions that are deterministic and have results, or fields to look at afterwards.
    pub deterministic_tests: usize,
    /// Findings.
    pub findings: Vec<FindingReport>,
    /// Why no test of it could be written though inputs were found.
    pub not_emitted: Option<String>,
    /// What is claimed of its tests as a whole: that they are minimal, or take all paths.
    pub claims: Vec<String>,
    /// Further remarks.
    pub notes: Vec<String>,
    /// Seconds of the search.
    pub seconds: f64,
}

/// Seconds in each stage.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[allow(missing_docs)]
pub struct Stages {
    pub parse: f64,
    pub resolve: f64,
    pub lower: f64,
    pub search: f64,
    pub emit: f64,
    pub total: f64,
}

/// Everything that `gen` has to say.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Units in the order of the source.
    pub units: Vec<UnitReport>,
    /// Times.
    pub stages: Stages,
    /// Items of the program that were not translated, with the reason.
    pub untranslated: Vec<(String, String)>,
    /// The program's own tests, in the order of the source.
    pub own_tests: Vec<OwnTestReport>,
    /// The tests of datatypes' constructors, in the order of the source.
    pub datatypes: Vec<OwnTestReport>,
}

/// The totals, as the table shows them.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Totals {
    pub units: usize,
    pub goals: usize,
    pub covered: usize,
    pub proved_unreachable: usize,
    pub unreachable_at_caps: usize,
    pub unreachable_within_bounds: usize,
    pub out_of_budget: usize,
    pub unsupported: usize,
    pub findings: usize,
    pub tests: usize,
    /// Tests of the program's own that were written.
    pub own_tests: usize,
    /// Tests of datatypes' constructors.
    pub datatype_tests: usize,
    pub valued_tests: usize,
    pub deterministic_tests: usize,
    pub clauses: usize,
    pub clauses_executed: usize,
    pub preconditions_unknown: usize,
    /// How many goals each reason leaves open.
    pub reasons: BTreeMap<String, usize>,
}

/// A test that is no unit's: of the program's own, marked `{:test}`, or of a datatype's constructors.
#[derive(Debug, Clone, Serialize)]
pub struct OwnTestReport {
    /// Its full Dafny name.
    pub name: String,
    /// `path:line:column` of its name.
    pub place: String,
    /// The test's path in the suite, where it was written.
    pub test: Option<String>,
    /// Why it was not.
    pub not_written: Option<String>,
}

impl Report {
    /// Adds the report of a further program.
    pub fn append(&mut self, other: Report) {
        self.units.extend(other.units);
        self.untranslated.extend(other.untranslated);
        self.own_tests.extend(other.own_tests);
        self.datatypes.extend(other.datatypes);
        self.stages.parse += other.stages.parse;
        self.stages.resolve += other.stages.resolve;
        self.stages.lower += other.stages.lower;
        self.stages.search += other.stages.search;
        self.stages.emit += other.stages.emit;
    }

    /// The sums over all units.
    pub fn totals(&self) -> Totals {
        let written = |tests: &[OwnTestReport]| tests.iter().filter(|t| t.test.is_some()).count();
        let (own_tests, datatype_tests) = (written(&self.own_tests), written(&self.datatypes));
        let mut t = Totals { units: self.units.len(), own_tests, datatype_tests, ..Totals::default() };
        for unit in &self.units {
            t.tests += unit.tests.len();
            t.valued_tests += unit.valued_tests;
            t.deterministic_tests += unit.deterministic_tests;
            t.findings += unit.findings.len();
            t.preconditions_unknown += unit.preconditions_unknown;
            t.clauses += unit.ensures.len();
            t.clauses_executed += unit.ensures.iter().filter(|c| c.not_executed.is_none()).count();
            for goal in &unit.goals {
                t.goals += 1;
                let (count, reason) = match &goal.outcome {
                    GoalOutcome::Covered { .. } => (&mut t.covered, None),
                    GoalOutcome::Unreachable { .. } => (&mut t.proved_unreachable, None),
                    GoalOutcome::UnreachableAtCaps => (&mut t.unreachable_at_caps, None),
                    GoalOutcome::UnreachableWithinBounds { bound } => (&mut t.unreachable_within_bounds, Some(bound.as_str())),
                    GoalOutcome::OutOfBudget { reason } => (&mut t.out_of_budget, Some(reason.as_str())),
                    GoalOutcome::Unsupported { reason } => (&mut t.unsupported, Some(reason.as_str())),
                    GoalOutcome::Finding => (&mut t.unsupported, Some("reached only by findings")),
                };
                *count += 1;
                if let Some(reason) = reason {
                    *t.reasons.entry(reason.to_owned()).or_default() += 1;
                }
            }
        }
        t
    }
}

impl Totals {
    /// All tests that were written.
    pub fn all_tests(&self) -> usize {
        self.tests + self.own_tests + self.datatype_tests
    }

    /// The share of goals that are settled, in percent: covered, proved unreachable, or unreachable at the
    /// caps. A program without goals is settled.
    pub fn settled_percent(&self) -> f64 {
        if self.goals == 0 {
            return 100.0;
        }
        100.0 * (self.covered + self.proved_unreachable + self.unreachable_at_caps) as f64 / self.goals as f64
    }
}
