//! The outcome of every goal, and one renderer a format.
//!
//! Denominators are honest: goals are counted on the lowered program before anything is skipped; a unit
//! that is not supported leaves its goals open; *unreachable within bounds* counts as open unless the
//! bounds reached their caps.

pub mod actual;
pub mod annotate;
pub mod boogie;
pub mod check;
pub mod contracts;
pub mod dead;
pub mod explain;
pub mod explore;
pub mod html;
pub mod human;
pub mod json;
pub mod lcov;
pub mod listing;
pub mod mutants;
mod system;
pub mod trace;

use serde::{Deserialize, Serialize};

use dafny_resolve::typed::CallableId;
use dafny_syntax::source::Region;
use dtest_engine::ir::{BlockId, Criterion};
use dtest_sorted::SortedMap;
pub use mutants::{MutantsTotals, Survivor};

/// What became of a goal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum GoalOutcome {
    /// A test of the suite reaches it.
    Covered {
        /// The test's path in the suite.
        test: String,
    },
    /// Only executions that break the program's own contract were found to reach it: see the findings.
    Finding,
    /// Only executions that resolve a choice otherwise than the tests reach it.
    Choice,
    /// No execution reaches it.
    Unreachable {
        /// Why, in the program's terms, as far as it is known.
        reason: String,
    },
    /// Only executions for which something is otherwise than the program takes for granted reach it, or get past it.
    Given {
        /// What is taken for granted, with its places.
        reason: String,
    },
    /// No execution within the highest bounds reaches it.
    UnreachableAtCaps {
        /// Those bounds.
        bound: String,
    },
    /// No execution within the bounds tried reaches it.
    UnreachableWithinBounds {
        /// The bounds that were searched to the end.
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

impl GoalOutcome {
    /// What is said of [`GoalOutcome::Choice`].
    pub const BY_CHOICE: &str =
        "reached only if nondeterministic choices are resolved otherwise than in tests";
}

/// A goal and what became of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GoalReport {
    /// `path:line:column` of the block.
    pub place: String,
    /// The block itself, a case with its pattern; empty where the source has no text for it (a missing `else`). `None`: no place in the source.
    pub region: Option<Region>,
    /// Where it is an outcome of a decision: the condition, pattern or guard.
    pub decision: Option<Region>,
    /// The criterion that asks for it.
    pub criterion: Criterion,
    /// The goal in a phrase.
    pub goal: String,
    /// All tests of the suite that reach it.
    pub tests: Vec<String>,
    /// The tests that entered it when they were run; `None`: not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<Vec<String>>,
    /// Its block, while the program is there.
    #[serde(skip)]
    pub block: Option<(CallableId, BlockId)>,
    /// In which callable it lies, where that is not the unit itself but something that it calls.
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    pub callable: Option<String>,
    /// Where the unit's own call stands by way of which control is to come there, and those that it leads to; none where any will do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<String>,
    /// What became of it.
    #[serde(flatten)]
    pub outcome: GoalOutcome,
}

/// A statement that is executed with a block whose goal has its source elsewhere, or none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRegion {
    /// The statement.
    pub region: Region,
    /// The tests that execute it.
    pub tests: Vec<String>,
    /// The tests that did so when they were run; `None`: not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<Vec<String>>,
    /// Its block, while the program is there.
    #[serde(skip)]
    pub block: Option<(CallableId, BlockId)>,
    /// How control comes there.
    pub way: Way,
}

/// How control comes to a statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "way", rename_all = "kebab-case")]
pub enum Way {
    /// Right after one of these goals, by their places in [`UnitReport::goals`].
    After {
        /// The goals.
        goals: Vec<usize>,
    },
    /// No path of the source leads there.
    None,
}

/// Something that an entry calls, whose goals its tests cover.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CalleeReport {
    /// Its Dafny path.
    pub callable: String,
    /// `path:line:column`.
    pub place: String,
}

/// A clause of a contract and whether the tests execute it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ClauseReport {
    /// `path:line:column`.
    pub place: String,
    /// Its text.
    pub text: String,
    /// Why it is not executed; `None`: it is.
    pub not_executed: Option<String>,
    /// Whether it is the frame, that of the `modifies` clauses together.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_frame: bool,
}

impl ClauseReport {
    /// What it is, for messages.
    pub fn what(&self) -> &'static str {
        if self.is_frame {
            "frame"
        } else {
            "postcondition"
        }
    }
}

/// Inputs that meet the precondition and break the program's own obligations.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FindingReport {
    /// `path:line:column` of what broke.
    pub place: String,
    /// What broke.
    pub message: String,
    /// The inputs, `name = value`.
    pub inputs: Vec<String>,
}

/// A unit.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct UnitReport {
    /// Its Dafny path.
    pub unit: String,
    /// The Dafny path of its module; empty for the program's own level.
    pub module: String,
    /// `path:line:column`.
    pub place: String,
    /// Its name in the source.
    pub region: Option<Region>,
    /// Of an entry: what it calls and covers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub callees: Vec<CalleeReport>,
    /// Its goals in the order of the source, then those of its callees.
    pub goals: Vec<GoalReport>,
    /// Statements that other tests execute than the goal whose source they stand in: what follows a loop or a branch.
    #[serde(rename = "stretches")]
    pub regions: Vec<SourceRegion>,
    /// Names of its tests.
    pub tests: Vec<String>,
    /// Postconditions of its tests, where it has any.
    pub ensures: Vec<ClauseReport>,
    /// Preconditions that the interpreter could not decide for some test.
    pub preconditions_unknown: usize,
    /// Tests that check the value that Dafny's semantics gives.
    pub valued_tests: usize,
    /// Names of the tests that compare no result and no state and execute no clause: nothing but a panic fails them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<String>,
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
    /// Whether an earlier run searched it, and this one took over what that found.
    pub cached: bool,
    /// Seconds of the search in this run.
    pub seconds: f64,
    /// Whether the clock stopped the search, in this run or in the one that it was taken over from.
    #[serde(default)]
    pub timed_out: bool,
}

/// Seconds in each stage.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Report {
    /// Units in the order of the source.
    pub units: Vec<UnitReport>,
    /// Units that were left alone, since the change that `--in-diff` names does not touch them.
    #[serde(default)]
    pub left_alone: usize,
    /// Times.
    pub stages: Stages,
    /// Items of the program that were not translated, with the reason.
    pub untranslated: Vec<(String, String)>,
    /// The program's own tests, in the order of the source.
    pub own_tests: Vec<OwnTestReport>,
    /// The tests of datatypes' constructors, in the order of the source.
    pub datatypes: Vec<OwnTestReport>,
    /// The tests of classes' objects, in the order of the source.
    pub classes: Vec<OwnTestReport>,
    /// What the tests of units notice, where they are to notice mutants.
    #[serde(default)]
    pub mutants: Option<MutantsTotals>,
    /// Mutants that no test notices and that are not known to do the same as their unit.
    #[serde(default)]
    pub survivors: Vec<Survivor>,
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
    /// Tests of classes' objects.
    pub class_tests: usize,
    pub valued_tests: usize,
    pub deterministic_tests: usize,
    /// Tests that nothing but a panic fails.
    pub unchecked: usize,
    pub clauses: usize,
    pub clauses_executed: usize,
    pub preconditions_unknown: usize,
    /// How many goals each reason leaves open.
    pub reasons: SortedMap<String, usize>,
}

/// A test that is no unit's: of the program's own, marked `{:test}`, of a datatype's constructors, or of a class's objects.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OwnTestReport {
    /// Its full Dafny name.
    pub name: String,
    /// `path:line:column` of its name.
    pub place: String,
    /// The test's path in the suite, where it was written.
    pub test: Option<String>,
    /// Why it was not.
    pub not_written: Option<String>,
    /// Of a test of the program's own: what its execution violates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding: Option<FindingReport>,
}

impl Report {
    /// Adds the report of a further program.
    pub fn append(&mut self, other: Report) {
        self.units.extend(other.units);
        self.left_alone += other.left_alone;
        self.untranslated.extend(other.untranslated);
        self.own_tests.extend(other.own_tests);
        self.datatypes.extend(other.datatypes);
        self.classes.extend(other.classes);
        if let Some(mutants) = other.mutants {
            self.mutants.get_or_insert_default().add(&mutants);
        }
        self.survivors.extend(other.survivors);
        self.stages.parse += other.stages.parse;
        self.stages.resolve += other.stages.resolve;
        self.stages.lower += other.stages.lower;
        self.stages.search += other.stages.search;
        self.stages.emit += other.stages.emit;
    }

    /// Whether the tests were run and what they entered was noted.
    pub fn is_measured(&self) -> bool {
        self.units
            .iter()
            .any(|u| u.goals.iter().any(|g| g.actual.is_some()))
    }

    /// The sums over all units.
    pub fn totals(&self) -> Totals {
        let written = |tests: &[OwnTestReport]| tests.iter().filter(|t| t.test.is_some()).count();
        let (own_tests, datatype_tests, class_tests) = (
            written(&self.own_tests),
            written(&self.datatypes),
            written(&self.classes),
        );
        let of_units = Totals::of(&self.units.iter().collect::<Vec<_>>());
        let of_tests = self.own_tests.iter().filter(|t| t.finding.is_some());
        Totals {
            own_tests,
            datatype_tests,
            class_tests,
            findings: of_units.findings + of_tests.count(),
            ..of_units
        }
    }
}

impl Totals {
    /// The sums over some units; every goal counts once, whichever of them reach it.
    pub fn of(units: &[&UnitReport]) -> Self {
        Self::over(
            units,
            system::goals(units)
                .iter()
                .filter_map(|(unit, goal)| units.get(*unit)?.goals.get(*goal)),
        )
    }

    /// The sums over some units and some goals.
    pub fn over<'r>(
        units: &[&UnitReport],
        goals: impl IntoIterator<Item = &'r GoalReport>,
    ) -> Self {
        let mut t = Self::default();
        for unit in units {
            t.units += 1;
            t.tests += unit.tests.len();
            t.valued_tests += unit.valued_tests;
            t.deterministic_tests += unit.deterministic_tests;
            t.unchecked += unit.unchecked.len();
            t.findings += unit.findings.len();
            t.preconditions_unknown += unit.preconditions_unknown;
            t.clauses += unit.ensures.len();
            t.clauses_executed += unit
                .ensures
                .iter()
                .filter(|c| c.not_executed.is_none())
                .count();
        }
        for goal in goals {
            t.goals += 1;
            let (count, reason) = match &goal.outcome {
                GoalOutcome::Covered { .. } => (&mut t.covered, None),
                GoalOutcome::Unreachable { .. } => (&mut t.proved_unreachable, None),
                GoalOutcome::UnreachableAtCaps { .. } => (&mut t.unreachable_at_caps, None),
                GoalOutcome::UnreachableWithinBounds { bound } => {
                    (&mut t.unreachable_within_bounds, Some(bound.as_str()))
                }
                GoalOutcome::OutOfBudget { reason } => {
                    (&mut t.out_of_budget, Some(reason.as_str()))
                }
                GoalOutcome::Unsupported { reason } | GoalOutcome::Given { reason } => {
                    (&mut t.unsupported, Some(reason.as_str()))
                }
                GoalOutcome::Finding => (&mut t.unsupported, Some("reached only by findings")),
                GoalOutcome::Choice => (&mut t.unsupported, Some(GoalOutcome::BY_CHOICE)),
            };
            *count += 1;
            if let Some(reason) = reason {
                *t.reasons.entry(reason.to_owned()).or_default() += 1;
            }
        }
        t
    }

    /// All tests that were written.
    pub fn all_tests(&self) -> usize {
        self.tests + self.own_tests + self.datatype_tests + self.class_tests
    }

    /// The share of goals that are settled, in percent: covered, proved unreachable, or unreachable at the
    /// caps. A program without goals is settled.
    pub fn settled_percent(&self) -> f64 {
        if self.goals == 0 {
            return 100.0;
        }
        100.0 * (self.covered + self.proved_unreachable + self.unreachable_at_caps) as f64
            / self.goals as f64
    }

    /// The share of goals that are covered or proved unreachable, in percent: what *settled* comes to without those that larger bounds
    /// may reach.
    pub fn covered_or_proved_percent(&self) -> f64 {
        if self.goals == 0 {
            return 100.0;
        }
        100.0 * (self.covered + self.proved_unreachable) as f64 / self.goals as f64
    }
}
