//! Inputs and results of the search: [`Options`] go in, a [`UnitResult`] with [`TestCase`]s, goal
//! statuses and [`Finding`]s comes out.
//!
//! The types are plain data. Results are stored in the cache, so that their serialized form is part
//! of the interface.

use std::borrow::Cow;
use std::time::{Duration, Instant};

pub use super::effort::{Spent, most};
use dafny_resolve::typed::{CallableId, Type};
use dafny_source::{Name, Span};
pub use dtest_encode::Bounds;
use dtest_encode::{Fact, Scope};
use dtest_interp::{ClauseResult, Execution, Failure, Inputs, Truth};
use dtest_ir::reason::{Cut, Reason};
use dtest_ir::{self as ir, GoalId};
use dtest_mutants::Mutation;
use dtest_value::Construction;

/// The objective for the number of tests in a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Minimize {
    /// No redundant test.
    #[default]
    Greedy,
    /// The minimum number of tests, if it can be proved within the bounds. [`UnitResult::claims`]
    /// reports whether it was.
    Optimal,
}

/// The faults that a suite is chosen to detect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strength {
    /// No tests are added for mutants. The inputs of tests that cover goals are still chosen to
    /// kill many mutants.
    #[default]
    Coverage,
    /// Tests are added for mutants that survive the tests of goals.
    Mutants,
}

/// The certainty that a mutant is equivalent to the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Equivalence {
    /// Proved: no execution of any length, from inputs of any size, differs at the changed place.
    Proved,
    /// No execution from inputs within these bounds differs at the changed place. Each was followed
    /// to its end.
    WithinBounds {
        /// The bounds of the inputs.
        scope: Scope,
    },
}

/// Configured bounds. Inputs beyond them are rejected, even if they were found without the solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Maximum number of elements in a collection.
    pub collection: Option<u32>,
    /// Maximum iterations of a loop of the unit.
    pub unroll: Option<u32>,
}

/// Options of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Bounds of the first encoding.
    pub start: Bounds,
    /// Bounds of the largest encoding. Unless a collection size is configured, they rise for a unit
    /// to the sizes that its conditions compare with.
    pub caps: Bounds,
    /// Configured bounds.
    pub asked: Asked,
    /// Z3's resource limit for one query.
    pub rlimit: u32,
    /// Budget of a unit, in queries that each exhaust [`Self::rlimit`].
    pub queries: u32,
    /// Wall-clock limit for a unit. It is a safety net: results within it do not depend on the
    /// clock.
    pub timeout: Duration,
    /// The end of the whole run, if it is limited. Units share the time until then
    /// ([`Self::with_share`]).
    pub until: Option<Instant>,
    /// Divisor of the unit's budget. The units of a program share the program's budget.
    pub part: u32,
    /// Z3's random seed.
    pub seed: u32,
    /// Maximum interpreter steps of one execution.
    pub fuel: u64,
    /// Number of small inputs that are validated before the first query.
    pub seeds: u32,
    /// Maximum number of inputs that are enumerated where the solver or the encoding could not
    /// decide a goal.
    pub enumerate: u32,
    /// Objective for the number of tests.
    pub minimize: Minimize,
    /// Faults that the suite is chosen to detect. Tests for mutants are added to a minimum suite
    /// ([`Minimize::Optimal`]) too: its minimum is about the tests that cover the goals.
    pub strength: Strength,
    /// Maximum number of paths of a unit, if paths are goals.
    pub max_paths: u32,
    /// Maximum iterations of a loop whose exit is a nondeterministic choice, if it differs from
    /// that of other loops.
    pub rounds: Option<u32>,
    /// Whether the search tries to prove that open goals are unreachable.
    pub prove: bool,
    /// Whether [`UnitResult::transcript`] is kept.
    pub transcript: bool,
}

impl Options {
    /// The same options with the unit's budget divided by `part`. Only work is divided: the clock
    /// stays the same safety net for every unit.
    pub fn in_part(&self, part: u32) -> Self {
        Self {
            part,
            ..self.clone()
        }
    }

    /// The options of the next unit if the time of the run is limited: the unit and those after it,
    /// `left` in all, share the remaining time of `jobs` threads equally. Units that need less leave
    /// the rest to others.
    #[must_use]
    pub fn with_share(&self, left: usize, jobs: usize) -> Self {
        let Some(end) = self.until else {
            return self.clone();
        };
        let now = dtest_limits::clock::now();
        let remaining = end.saturating_duration_since(now);
        let (left, jobs) = (left.max(1), jobs.max(1));
        let of_unit = remaining.mul_f64(jobs.min(left) as f64 / left as f64);
        Self {
            timeout: self.timeout.min(of_unit),
            until: Some(now + of_unit),
            ..self.clone()
        }
    }

    /// A text of all options that results depend on: a key of the cache. Keeping a transcript has
    /// no influence on results, and results that the clock cut are not reused.
    pub fn identity(&self) -> String {
        format!(
            "{:?}",
            Self {
                transcript: false,
                until: None,
                ..self.clone()
            }
        )
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            start: Bounds::START,
            caps: Bounds::CAPS,
            asked: Asked::default(),
            rlimit: 600_000,
            queries: 16,
            timeout: Duration::from_secs(20),
            until: None,
            part: 1,
            seed: 0,
            fuel: 2_000_000,
            seeds: 60,
            enumerate: 200,
            minimize: Minimize::Greedy,
            strength: Strength::Coverage,
            max_paths: 100,
            rounds: None,
            prove: true,
            transcript: false,
        }
    }
}

/// A decision on the way to a goal.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PathStep {
    /// The condition.
    pub cond: Span,
    /// The value of the condition.
    pub value: bool,
}

/// A test case: inputs that satisfy the precondition and reach the goal, validated by the
/// interpreter.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct TestCase {
    /// The unit.
    pub unit: CallableId,
    /// Type arguments: first the owner's, then the unit's own.
    pub type_args: Vec<Type>,
    /// The inputs, with the heap that they refer to and the results of stubs for external code.
    pub inputs: Inputs,
    /// The goal that the test is named after.
    pub goal: GoalId,
    /// All goals that the test reaches, [`Self::goal`] among them, in the order of the blocks.
    pub covers: Vec<GoalId>,
    /// The interpreter's execution. Its outcome is a return, or a halt at a failed `expect`.
    pub execution: Execution,
    /// Results of the argument types and preconditions. None is false. The test states which ones
    /// are unknown.
    pub requires: Vec<ClauseResult>,
    /// Results of the postconditions. None is false.
    pub ensures: Vec<ClauseResult>,
    /// Truth of the `modifies` clause: true or unknown.
    pub frame: Truth,
    /// Whether Dafny's semantics determines the result, so that the test may expect it.
    pub deterministic: bool,
    /// The decisions of the execution up to the goal, in order. Each condition is listed once, with
    /// its last value.
    pub path: Vec<PathStep>,
    /// The mutant that only this test kills. `None` for tests that were chosen for their goal.
    pub sole_kill: Option<Mutation>,
    /// Whether the inputs are larger ones from the pool, for combinations that small inputs lack.
    /// Other tests cover the goals.
    pub is_larger: bool,
}

/// The budget that was exhausted before a goal was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Budget {
    /// The solver's resources for one query ([`Options::rlimit`]).
    Query,
    /// The budget of the unit, which grows with [`Options::rlimit`].
    Unit,
    /// The wall-clock limit ([`Options::timeout`]).
    Clock,
    /// The memory limit of the process.
    Memory,
    /// The fixed limit on the terms of one encoding.
    Terms,
    /// The limit on the number of paths ([`Options::max_paths`]), with its value.
    Paths(u32),
}

impl Budget {
    /// The message for users: the exhausted budget and the option that raises it.
    pub fn text(self) -> Cow<'static, str> {
        let text = match self {
            Self::Query => "the solver gave up within its resource limit; raise --rlimit",
            Self::Unit => "the unit exceeded its budget; raise --rlimit",
            Self::Clock => "the unit ran out of time; raise --timeout, or --max-time if it is set",
            Self::Memory => "the unit was given up, because memory ran out; raise --max-memory",
            Self::Terms => {
                "the unit together with its callees is too large for the solver, even at the smallest bounds"
            }
            Self::Paths(limit) => return format!("the limit is {limit} (`--max-paths`)").into(),
        };
        text.into()
    }
}

/// The result for a goal.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum GoalStatus {
    /// Reached by the test with this index in [`UnitResult::tests`].
    Covered(usize),
    /// Reached only by executions that violate an obligation: see the finding with this index in
    /// [`UnitResult::findings`].
    OnlyByFinding(usize),
    /// Reached only if a nondeterministic choice is resolved differently from the rule that tests
    /// follow.
    OnlyByChoice,
    /// Proved unreachable, for executions of any length from inputs of any size.
    UnreachableProved {
        /// The kind of proof, as text.
        why: String,
    },
    /// Unreachable under assumptions that the program makes. An execution that reaches the goal, or
    /// continues after it, would break one of these facts.
    UnreachableGiven {
        /// The facts: assumptions, contracts of code without a Dafny body, and postconditions in
        /// traits, which are checked where they are implemented.
        facts: Vec<Fact>,
    },
    /// Unreachable from inputs within the largest bounds. Each execution was followed to its end.
    UnreachableAtCaps {
        /// The bounds of the inputs.
        scope: Scope,
    },
    /// Unreachable from inputs within these bounds. Each execution was followed to its end. Larger
    /// inputs were not tried, or not completely.
    UnreachableWithinBounds {
        /// The bounds of the inputs.
        scope: Scope,
    },
    /// Not reached by executions that were followed to their end, but some executions were cut.
    Cut(Cut),
    /// An unknown number of paths is open. Paths without a test are summarized by this one status.
    PathsLeft {
        /// Number of paths of the graph within the bounds that no test takes, feasible or not: an
        /// upper bound on the open paths.
        most: u64,
        /// The budget that stopped the search.
        stopped: Budget,
    },
    /// A budget was exhausted.
    OutOfBudget(Budget),
    /// The solver found models, but the interpreter refuted each of them.
    NotConfirmed,
    /// A construct on the way to the goal cannot be encoded or executed.
    Unsupported(Reason),
}

impl GoalStatus {
    /// Whether a test reaches the goal.
    pub fn is_covered(&self) -> bool {
        matches!(self, Self::Covered(_))
    }

    /// Whether the goal counts as open: neither reached by a test nor proved unreachable.
    pub fn is_open(&self) -> bool {
        match self {
            Self::Covered(_) | Self::UnreachableProved { .. } | Self::UnreachableAtCaps { .. } => {
                false
            }
            Self::OnlyByFinding(_)
            | Self::OnlyByChoice
            | Self::UnreachableGiven { .. }
            | Self::UnreachableWithinBounds { .. }
            | Self::Cut(_)
            | Self::OutOfBudget(_)
            | Self::PathsLeft { .. }
            | Self::NotConfirmed
            | Self::Unsupported(_) => true,
        }
    }
}

/// Inputs that satisfy the precondition and violate an obligation of the program.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Finding {
    /// The unit.
    pub unit: CallableId,
    /// The inputs.
    pub inputs: Inputs,
    /// The violation.
    pub failure: Failure,
    /// Goals that the execution reached before the violation.
    pub blocks: Vec<GoalId>,
    /// Whether every precondition is known to hold. Otherwise some are unknown.
    pub certain: bool,
}

/// Wall-clock times by stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Times {
    /// Executions in the interpreter.
    pub interpreter: Duration,
    /// Construction of terms.
    pub encoding: Duration,
    /// Queries to the solver.
    pub solver: Duration,
    /// The whole search.
    pub total: Duration,
}

/// The result of the search for one unit.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct UnitResult {
    /// The unit.
    pub unit: CallableId,
    /// Tests. None is redundant. Tests that were added for mutants come last.
    pub tests: Vec<TestCase>,
    /// States of objects in the tests' inputs, with the calls that construct them. Each state is
    /// the only argument of its inputs.
    #[serde(skip)]
    pub made: Vec<(Inputs, Construction)>,
    /// Every goal of the unit's procedure, in order, with its status.
    pub goals: Vec<(GoalId, GoalStatus)>,
    /// Violations, one per source location.
    pub findings: Vec<Finding>,
    /// With [`Strength::Mutants`]: surviving mutants that are equivalent to the unit.
    pub equivalent: Vec<(Mutation, Equivalence)>,
    /// Claims about the whole suite, as sentences: that it is minimal or has all paths, and within
    /// which bounds.
    pub claims: Vec<Name>,
    /// With [`Minimize::Optimal`]: a lower bound on the number of tests of any suite with the same
    /// goals, within the bounds.
    pub least: Option<usize>,
    /// Remarks for the user, as sentences.
    pub notes: Vec<Name>,
    /// Number of queries to the solver.
    pub queries: u64,
    /// Wall-clock times by stage.
    pub times: Times,
    /// Whether the search was stopped by the clock ([`Options::timeout`]) or by the memory limit:
    /// another run may find more.
    pub timed_out: bool,
    /// Whether the search for surviving mutants still made progress when its budget was used: a
    /// higher resource limit may kill more.
    #[serde(default)]
    pub would_gain: bool,
    /// The cost, in measures that are the same on every machine.
    pub spent: Spent,
    /// The solver's transcript as SMT-LIB, if [`Options::transcript`] is set.
    pub transcript: Option<String>,
}

impl UnitResult {
    /// A result in which every goal of `unit` is open for the same reason. A unit that was not
    /// lowered has no goals.
    pub fn unsupported(program: &ir::Program, unit: CallableId, reason: &Reason) -> Self {
        let goals = program
            .goals(unit)
            .into_iter()
            .map(|(g, _)| (g, GoalStatus::Unsupported(reason.clone())))
            .collect();
        Self {
            unit,
            tests: Vec::new(),
            made: Vec::new(),
            goals,
            findings: Vec::new(),
            equivalent: Vec::new(),
            claims: Vec::new(),
            least: None,
            notes: Vec::new(),
            queries: 0,
            times: Times::default(),
            timed_out: false,
            would_gain: false,
            spent: Spent::default(),
            transcript: None,
        }
    }
}
