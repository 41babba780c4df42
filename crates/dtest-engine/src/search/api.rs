//! What goes in and comes out of the search.

use std::borrow::Cow;
use std::time::Duration;

pub use super::effort::{Spent, most};
pub use crate::encode::Bounds;
use crate::encode::{Fact, Scope};
use crate::interp::{ClauseResult, Execution, Failure, Inputs, Truth};
use crate::ir::{self, GoalId};
use crate::mutants::Mutation;
use crate::reason::{Cut, Reason};
use crate::value::Construction;
use dafny_resolve::typed::{CallableId, Type};
use dafny_syntax::source::{Name, Span};

/// How few tests a suite is to have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Minimize {
    /// No redundant test.
    #[default]
    Greedy,
    /// The least number within the bounds, where that can be proved; [`UnitResult::claims`] say whether it was.
    Optimal,
}

/// What a suite is to notice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strength {
    /// What a suite that covers the goals notices, its tests chosen well.
    #[default]
    Coverage,
    /// Tests are added for mutants that the others let pass.
    Mutants,
}

/// How sure it is that a mutant does the same as the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Equivalence {
    /// Proved: no execution makes a difference where it is changed, whatever the sizes of inputs and the lengths of executions.
    Proved,
    /// No execution from these inputs makes one there: each was followed to its end.
    WithinBounds {
        /// The inputs.
        scope: Scope,
    },
}

/// Bounds that somebody asked for: no inputs go beyond them, however they were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Elements of a collection.
    pub collection: Option<u32>,
    /// Turns of a loop of the unit.
    pub unroll: Option<u32>,
}

/// Options of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Bounds at the start.
    pub start: Bounds,
    /// Bounds of the encoding that are never exceeded. Where no size is asked for, those of a unit rise to the sizes that it compares with.
    pub caps: Bounds,
    /// Bounds that somebody asked for.
    pub asked: Asked,
    /// Z3's resource limit for one query.
    pub rlimit: u32,
    /// What a unit may cost, in queries that use up their limit.
    pub queries: u32,
    /// Wall-clock limit for a unit: a safety net, results within it do not depend on the clock.
    pub timeout: Duration,
    /// The unit may cost one in so many parts of what it may by itself: units of a program share what that may cost.
    pub part: u32,
    /// Z3's random seed.
    pub seed: u32,
    /// Steps of the interpreter for one execution.
    pub fuel: u64,
    /// Small inputs that are tried before the solver is asked.
    pub seeds: u32,
    /// Inputs that are tried without the solver, at most, where it or the encoding could not help.
    pub enumerate: u32,
    /// How few tests a suite is to have.
    pub minimize: Minimize,
    /// What the suite is to notice; a suite that is to be the least has no tests for mutants.
    pub strength: Strength,
    /// Paths of a unit, at most, where they are goals.
    pub max_paths: u32,
    /// Turns of a loop that may be left or go on by choice, where they are other than those of other loops.
    pub rounds: Option<u32>,
    /// Whether goals that were not reached are asked for a proof that nothing reaches them.
    pub prove: bool,
    /// Whether [`UnitResult::transcript`] is kept.
    pub transcript: bool,
}

impl Options {
    /// The same, where a unit may cost one in so many parts. Parts are counted in work: the clock is the same safety net for all.
    pub fn in_part(&self, part: u32) -> Self {
        Self {
            part,
            ..self.clone()
        }
    }

    /// What results depend on, as text: all but whether a transcript is kept.
    pub fn identity(&self) -> String {
        format!(
            "{:?}",
            Self {
                transcript: false,
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

/// A decision on the way to the goal.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PathStep {
    /// The condition.
    pub cond: Span,
    /// Its value.
    pub value: bool,
}

/// A test case: inputs that meet the precondition and reach the goal, as the interpreter saw it.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct TestCase {
    /// The unit.
    pub unit: CallableId,
    /// What its type parameters stand for (owner's, then own).
    pub type_args: Vec<Type>,
    /// The inputs, with the heap that they point into, and with all that stood in for external code.
    pub inputs: Inputs,
    /// The goal that the test stands for.
    pub goal: GoalId,
    /// All goals that it reaches, the first among them, in the order of the blocks.
    pub covers: Vec<GoalId>,
    /// What the interpreter saw. Its outcome is a return, or a halt by a failed `expect`.
    pub execution: Execution,
    /// Types of the arguments and preconditions; none is false. Unknown ones are said so in the test.
    pub requires: Vec<ClauseResult>,
    /// Postconditions; none is false.
    pub ensures: Vec<ClauseResult>,
    /// Whether no more was changed than the `modifies` clause allows: true or unknown.
    pub frame: Truth,
    /// Whether Dafny's semantics allows no other result, so that the test may ask for this one.
    pub deterministic: bool,
    /// The decisions of the execution up to the goal, in order, each condition once with its last value.
    pub path: Vec<PathStep>,
    /// Where it is not for its goal: the mistake that it notices and no other test of the unit does.
    pub notices: Option<Mutation>,
}

/// What was used up before a goal was settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Budget {
    /// The solver's resources for one query ([`Options::rlimit`]).
    Query,
    /// What the unit may cost, which grows with [`Options::rlimit`].
    Unit,
    /// [`Options::timeout`].
    Clock,
    /// The memory of the process.
    Memory,
    /// Terms of one encoding, a fixed number.
    Terms,
    /// This many paths ([`Options::max_paths`]).
    Paths(u32),
}

impl Budget {
    /// What was used up, and what allows more.
    pub fn text(self) -> Cow<'static, str> {
        let text = match self {
            Self::Query => "the solver gave up within its resource limit; raise --rlimit",
            Self::Unit => "the unit exceeded its budget; raise --rlimit",
            Self::Clock => "the unit ran out of time; raise --timeout",
            Self::Memory => "the unit was given up, because memory ran out; raise --max-memory",
            Self::Terms => {
                "the unit together with its callees is too large for the solver, even at the smallest bounds"
            }
            Self::Paths(limit) => return format!("the limit is {limit} (`--max-paths`)").into(),
        };
        text.into()
    }
}

/// What became of a goal.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum GoalStatus {
    /// Reached by the test of that index in [`UnitResult::tests`].
    Covered(usize),
    /// Reached only by inputs for which the program is wrong: see the finding of that index in
    /// [`UnitResult::findings`].
    OnlyByFinding(usize),
    /// Reached only where a choice is resolved otherwise than by the rule for choices, which the tests follow.
    OnlyByChoice,
    /// No execution reaches it: proved, whatever the sizes of inputs and the lengths of executions.
    UnreachableProved {
        /// How it was proved, in words.
        why: String,
    },
    /// Only executions reach it, or get past it, for which something is otherwise than the program takes for granted: these things.
    UnreachableGiven {
        /// Assumptions, contracts of code that is not Dafny's; also postconditions in traits, which are checked where they are implemented.
        facts: Vec<Fact>,
    },
    /// No execution from inputs within the largest bounds reaches it: each was followed to its end.
    UnreachableAtCaps {
        /// The inputs.
        scope: Scope,
    },
    /// No execution from these inputs reaches it: each was followed to its end. Larger inputs were not tried, or not to the end.
    UnreachableWithinBounds {
        /// The inputs.
        scope: Scope,
    },
    /// No execution that was followed to its end reaches it, but some were cut.
    Cut(Cut),
    /// Paths were left open: this many at most.
    PathsLeft {
        /// Paths of the graph within the bounds that no test takes, feasible or not.
        most: u64,
        /// What stopped the search.
        stopped: Budget,
    },
    /// A budget was used up.
    OutOfBudget(Budget),
    /// Models were found, but the interpreter refuted every one.
    NotConfirmed,
    /// Something on the way cannot be encoded or executed.
    Unsupported(Reason),
}

impl GoalStatus {
    /// Whether a test reaches it.
    pub fn is_covered(&self) -> bool {
        matches!(self, Self::Covered(_))
    }

    /// Whether it still counts as open.
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

/// Inputs that meet the precondition and for which the program breaks a condition of its own.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Finding {
    /// The unit.
    pub unit: CallableId,
    /// The inputs.
    pub inputs: Inputs,
    /// What broke.
    pub failure: Failure,
    /// Goals that the execution reached before.
    pub blocks: Vec<GoalId>,
    /// Whether every precondition is known to hold; else some are unknown.
    pub certain: bool,
}

/// Where the time went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Times {
    /// Executing in the interpreter.
    pub interpreter: Duration,
    /// Building terms.
    pub encoding: Duration,
    /// In the solver.
    pub solver: Duration,
    /// All together.
    pub total: Duration,
}

/// The outcome for a unit.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct UnitResult {
    /// The unit.
    pub unit: CallableId,
    /// Tests: none is redundant; those that are for mistakes come last.
    pub tests: Vec<TestCase>,
    /// States of objects in the tests' inputs, each the only argument of its own, with the calls that were found to lead to them.
    #[serde(skip)]
    pub made: Vec<(Inputs, Construction)>,
    /// Every goal of the unit's procedure, in order, with what became of it.
    pub goals: Vec<(GoalId, GoalStatus)>,
    /// Where the program is wrong; one a place.
    pub findings: Vec<Finding>,
    /// With [`Strength::Mutants`]: mutants that no test notices because they do the same as the unit.
    pub equivalent: Vec<(Mutation, Equivalence)>,
    /// What is claimed of the suite as a whole, in sentences: that it is minimal, or has all paths, within which bounds.
    pub claims: Vec<Name>,
    /// With [`Minimize::Optimal`]: no suite with the same goals has fewer tests, within the bounds.
    pub least: Option<usize>,
    /// What a user should know, in sentences.
    pub notes: Vec<Name>,
    /// Queries to the solver.
    pub queries: u64,
    /// Where the time went.
    pub times: Times,
    /// Whether the clock stopped it ([`Options::timeout`]), or the memory of the process: another run may find more.
    pub timed_out: bool,
    /// What it cost, in measures that are the same on every machine.
    pub spent: Spent,
    /// The solver's transcript as SMT-LIB, where [`Options::transcript`] asks for it.
    pub transcript: Option<String>,
}

impl UnitResult {
    /// A result in which every goal of `unit` is open for one reason. A unit that was not lowered has no goals.
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
            spent: Spent::default(),
            transcript: None,
        }
    }
}
