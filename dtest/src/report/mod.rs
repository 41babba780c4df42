//! Reports: the outcome of every goal, and one renderer per format.
//!
//! Denominators are honest: goals are counted on the lowered program before anything is skipped.
//! The goals of an unsupported unit stay open, and *unreachable within bounds* counts as open
//! unless the bounds reached their maximum.

pub mod actual;
pub mod annotate;
pub mod check;
pub mod contracts;
pub mod dead;
pub mod explain;
pub mod explore;
pub mod html;
pub mod human;
pub mod json;
pub mod junit;
pub mod key;
pub mod lcov;
pub mod listing;
pub mod mutants;
pub mod place;
pub mod reported;
pub mod sarif;
pub mod spec;
pub mod spec_assumptions;
pub mod spec_cases;
pub mod spec_difference;
pub mod spec_strength;
mod system;
pub mod trace;

use serde::{Deserialize, Serialize};

use dafny_resolve::typed::CallableId;
use dafny_source::Region;
use dtest_ir::{BlockId, Criterion};
use dtest_sorted::SortedMap;
use key::Key;
pub use mutants::{MutantsTotals, Survivor};
use place::Place;

/// The outcome of a goal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum GoalOutcome {
    /// A test of the suite reaches the goal.
    Covered {
        /// The test's path in the suite.
        test: String,
    },
    /// Only executions that violate the program's own obligations reach the goal.
    Finding,
    /// Only executions whose nondeterministic choices differ from those of tests reach the goal.
    Choice,
    /// The goal is proved unreachable.
    Unreachable {
        /// The reason in terms of the program, if it is known.
        reason: String,
    },
    /// The goal is reached or passed only if an assumption of the program is false.
    Given {
        /// The assumptions, with their locations.
        reason: String,
    },
    /// No execution within the maximum bounds reaches the goal.
    UnreachableAtCaps {
        /// The maximum bounds.
        bound: String,
        /// The least `--max-size` that raises them. `None` if no option does.
        #[serde(skip_serializing_if = "Option::is_none")]
        larger_size: Option<u32>,
    },
    /// No execution within the searched bounds reaches the goal.
    UnreachableWithinBounds {
        /// The bounds that were searched completely.
        bound: String,
    },
    /// The budget ran out.
    OutOfBudget {
        /// The exhausted budget.
        reason: String,
    },
    /// Reaching the goal needs an unsupported construct.
    Unsupported {
        /// The unsupported construct.
        reason: String,
    },
}

impl GoalOutcome {
    /// The description of [`GoalOutcome::Choice`].
    pub const BY_CHOICE: &str =
        "reached only if nondeterministic choices are resolved otherwise than in tests";

    /// The description of [`GoalOutcome::UnreachableAtCaps`], with the option that raises the
    /// bounds.
    pub fn at_caps(bound: &str, larger_size: Option<u32>) -> String {
        let advice = match larger_size {
            Some(size) => format!("; raise --max-size to {size} or more"),
            None => String::new(),
        };
        format!("unreachable at the highest bounds ({bound}){advice}")
    }
}

/// A goal with its outcome.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GoalReport {
    /// `path:line:column` of the block.
    pub place: Place,
    /// The region of the block, including the pattern of a case; empty if the source has no text
    /// for it (a missing `else`). `None` if it has no location in the source.
    pub region: Option<Region>,
    /// For an outcome of a decision: the condition, pattern or guard.
    pub decision: Option<Region>,
    /// The criterion that requires the goal.
    pub criterion: Criterion,
    /// A phrase that describes the goal.
    pub goal: String,
    /// All tests of the suite that reach the goal.
    pub tests: Vec<String>,
    /// The tests that reached it when they were run; `None` if this was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<Vec<String>>,
    /// The block of the goal; available only while the program is loaded.
    #[serde(skip)]
    pub block: Option<(CallableId, BlockId)>,
    /// The callable that contains the goal, if it is a callee of the unit.
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    pub callable: Option<String>,
    /// The locations of the calls through which control must reach the goal, starting in the unit;
    /// empty if any calls will do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<String>,
    /// The outcome of the goal.
    #[serde(flatten)]
    pub outcome: GoalOutcome,
}

/// A statement whose block has a goal with its source elsewhere, or no goal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRegion {
    /// The statement.
    pub region: Region,
    /// The tests that execute it.
    pub tests: Vec<String>,
    /// The tests that executed it when they were run; `None` if this was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<Vec<String>>,
    /// The block of the goal; available only while the program is loaded.
    #[serde(skip)]
    pub block: Option<(CallableId, BlockId)>,
    /// The way in which control reaches the statement.
    pub way: Way,
}

/// The way in which control reaches a statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "way", rename_all = "kebab-case")]
pub enum Way {
    /// Directly after one of these goals, by index in [`UnitReport::goals`].
    After {
        /// The goals.
        goals: Vec<usize>,
    },
    /// The source has no path to the statement.
    None,
}

/// A callee of an entry, whose goals its tests cover.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CalleeReport {
    /// The Dafny path.
    pub callable: String,
    /// `path:line:column` of the declaration.
    pub place: Place,
}

/// A clause of a contract, and whether the tests execute it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ClauseReport {
    /// `path:line:column` of the declaration.
    pub place: Place,
    /// The text of the clause.
    pub text: String,
    /// The reason why it is not executed; `None` if it is.
    pub not_executed: Option<String>,
    /// Whether it is the frame condition of all `modifies` clauses.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_frame: bool,
}

impl ClauseReport {
    /// Returns the kind of the clause, for messages.
    pub fn what(&self) -> &'static str {
        if self.is_frame {
            "frame"
        } else {
            "postcondition"
        }
    }
}

/// Inputs that satisfy the precondition and violate an obligation of the program.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FindingReport {
    /// `path:line:column` of the violated obligation.
    pub place: Place,
    /// A description of the violation.
    pub message: String,
    /// The inputs, `name = value`.
    pub inputs: Vec<String>,
    /// The key of the obligation.
    pub key: Key,
    /// The entry of `dtest.toml` that allows the violation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed: Option<String>,
}

impl FindingReport {
    /// Whether nothing allows the violation.
    pub fn fails(&self) -> bool {
        self.allowed.is_none()
    }
}

/// The report on a unit.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct UnitReport {
    /// The Dafny path.
    pub unit: String,
    /// The Dafny path of its module; empty for the top level.
    pub module: String,
    /// `path:line:column` of the declaration.
    pub place: Place,
    /// The region of its name in the source.
    pub region: Option<Region>,
    /// For an entry: the callees that its tests cover.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub callees: Vec<CalleeReport>,
    /// Its goals in source order, then those of its callees.
    pub goals: Vec<GoalReport>,
    /// Statements that are reached by other tests than the goal that contains them: code after a
    /// loop or a branch.
    #[serde(rename = "stretches")]
    pub regions: Vec<SourceRegion>,
    /// The names of its tests.
    pub tests: Vec<String>,
    /// Postconditions of its tests, if it has tests.
    pub ensures: Vec<ClauseReport>,
    /// The number of preconditions that the interpreter could not decide for some test.
    pub preconditions_unknown: usize,
    /// The undecided preconditions of tests with objects, each once, with the reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undecided_preconditions: Vec<ClauseReport>,
    /// The number of tests that compare a value determined by Dafny's semantics.
    pub valued_tests: usize,
    /// Names of the tests that compare no result and no state and execute no clause; only a panic
    /// fails them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<String>,
    /// The number of tests with deterministic executions and comparable results or fields.
    pub deterministic_tests: usize,
    /// The violations.
    pub findings: Vec<FindingReport>,
    /// The reason why no test could be written although inputs were found.
    pub not_emitted: Option<String>,
    /// Claims about its tests as a whole: that they are minimal, or cover all paths.
    pub claims: Vec<String>,
    /// Further remarks.
    pub notes: Vec<String>,
    /// Whether the result comes from the cache.
    pub cached: bool,
    /// Duration of the search in this run, in seconds.
    pub seconds: f64,
    /// Whether the clock stopped the search, in this run or in the cached one.
    #[serde(default)]
    pub timed_out: bool,
    /// Whether tests for surviving mutants were still found when the budget was used.
    #[serde(default)]
    pub would_gain: bool,
}

/// The duration of each stage in seconds.
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

/// The results of `gen`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Report {
    /// The units in source order.
    pub units: Vec<UnitReport>,
    /// The number of units that the change of `--in-diff` does not affect.
    #[serde(default)]
    pub left_alone: usize,
    /// The durations of the stages.
    pub stages: Stages,
    /// Items of the program that were not translated, with the reasons.
    pub untranslated: Vec<(String, String)>,
    /// The program's own tests, in source order.
    pub own_tests: Vec<OwnTestReport>,
    /// The tests of the constructors of datatypes, in source order.
    pub datatypes: Vec<OwnTestReport>,
    /// The tests of objects of classes, in source order.
    pub classes: Vec<OwnTestReport>,
    /// The totals of mutation testing, if it was run.
    #[serde(default)]
    pub mutants: Option<MutantsTotals>,
    /// Surviving mutants that are not known to be equivalent.
    #[serde(default)]
    pub survivors: Vec<Survivor>,
    /// The totals of each program, if there are several.
    #[serde(default)]
    pub programs: Vec<ProgramRow<Totals>>,
}

/// The totals of one of several programs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ProgramRow<T> {
    /// The path of its first file.
    pub program: String,
    /// Its totals.
    #[serde(flatten)]
    pub totals: T,
    /// The time that it took.
    #[serde(skip)]
    pub seconds: f64,
}

/// The totals, as the table shows them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
    /// Violations that `dtest.toml` allows, which are not among the others.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub allowed: usize,
    pub tests: usize,
    /// The program's own tests that were written.
    pub own_tests: usize,
    /// Tests of the constructors of datatypes.
    pub datatype_tests: usize,
    /// Tests of objects of classes.
    pub class_tests: usize,
    pub valued_tests: usize,
    pub deterministic_tests: usize,
    /// Tests that only a panic fails.
    pub unchecked: usize,
    pub clauses: usize,
    pub clauses_executed: usize,
    pub preconditions_unknown: usize,
    /// The number of goals that each reason leaves open.
    pub reasons: SortedMap<String, usize>,
}

/// A test that belongs to no unit: a `{:test}` method of the program, a test of a datatype's
/// constructors, or a test of a class's objects.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OwnTestReport {
    /// The full Dafny name.
    pub name: String,
    /// `path:line:column` of the name.
    pub place: Place,
    /// The path of the test in the suite, if it was written.
    pub test: Option<String>,
    /// The reason why it was not written.
    pub not_written: Option<String>,
    /// For a test of the program: the violation in its execution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding: Option<FindingReport>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
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
        self.programs.extend(other.programs);
        self.stages.parse += other.stages.parse;
        self.stages.resolve += other.stages.resolve;
        self.stages.lower += other.stages.lower;
        self.stages.search += other.stages.search;
        self.stages.emit += other.stages.emit;
    }

    /// Whether coverage was measured.
    pub fn is_measured(&self) -> bool {
        self.units
            .iter()
            .any(|u| u.goals.iter().any(|g| g.actual.is_some()))
    }

    /// Returns the totals of all units.
    pub fn totals(&self) -> Totals {
        let written = |tests: &[OwnTestReport]| tests.iter().filter(|t| t.test.is_some()).count();
        let (own_tests, datatype_tests, class_tests) = (
            written(&self.own_tests),
            written(&self.datatypes),
            written(&self.classes),
        );
        let of_units = Totals::of(&self.units.iter().collect::<Vec<_>>());
        let of_tests = self.own_tests.iter().filter_map(|t| t.finding.as_ref());
        let (fail, allowed): (Vec<_>, Vec<_>) = of_tests.partition(|f| f.fails());
        Totals {
            own_tests,
            datatype_tests,
            class_tests,
            findings: of_units.findings + fail.len(),
            allowed: of_units.allowed + allowed.len(),
            ..of_units
        }
    }
}

impl Totals {
    /// Returns the totals of some units. Every goal counts once, even if several units reach it.
    pub fn of(units: &[&UnitReport]) -> Self {
        Self::over(
            units,
            system::goals(units)
                .iter()
                .filter_map(|(unit, goal)| units.get(*unit)?.goals.get(*goal)),
        )
    }

    /// Returns the totals of some units and some goals.
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
            let fail = unit.findings.iter().filter(|f| f.fails()).count();
            t.findings += fail;
            t.allowed += unit.findings.len() - fail;
            t.preconditions_unknown += unit.preconditions_unknown;
            t.clauses += unit.ensures.len();
            t.clauses_executed += unit
                .ensures
                .iter()
                .filter(|c| c.not_executed.is_none())
                .count();
        }
        // Each goal counts once, by its outcome; reasons are kept for goals that are open.
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

    /// Returns the number of all written tests.
    pub fn all_tests(&self) -> usize {
        self.tests + self.own_tests + self.datatype_tests + self.class_tests
    }

    /// Returns the percentage of settled goals: covered, proved unreachable, or unreachable within
    /// the maximum bounds. A program without goals is settled.
    pub fn settled_percent(&self) -> f64 {
        if self.goals == 0 {
            return 100.0;
        }
        100.0 * (self.covered + self.proved_unreachable + self.unreachable_at_caps) as f64
            / self.goals as f64
    }

    /// Returns the percentage of goals that are covered or proved unreachable. Unlike the settled
    /// percentage, it excludes goals that larger bounds may reach.
    pub fn covered_or_proved_percent(&self) -> f64 {
        if self.goals == 0 {
            return 100.0;
        }
        100.0 * (self.covered + self.proved_unreachable) as f64 / self.goals as f64
    }
}
