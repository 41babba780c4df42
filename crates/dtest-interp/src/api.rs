//! Inputs, limits and results of the interpreter.
//!
//! Key types: [`Inputs`], [`Execution`], [`Outcome`], [`Failure`], [`Truth`], [`Resolution`].

use crate::comparisons::Obstacle;
use dafny_resolve::typed::{CallableId, FieldId, Type};
use dafny_source::{Name, Span};
use dtest_ir::reason::{Limit, Reason};
use dtest_ir::{BlockId, GoalId, ObligationKind};
use dtest_sorted::SortedMap;
pub use dtest_value::{Answer, Place};
use dtest_value::{Heap, ObjectId, Value};

/// The limits of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The limit of steps of the machine in one call of the interpreter.
    pub steps: u64,
    /// The limit of words on the machine's stack, which bounds the recursion of the program.
    pub stack: usize,
    /// The limit of objects in the heap, and of elements that one array or sequence allocates at
    /// once.
    pub objects: usize,
    /// The limit of parts of one value, with shared parts counted repeatedly
    /// ([`dtest_value::Value::extent`]).
    pub extent: u64,
    /// Whether calls in compiled code check the precondition of the callee.
    pub check_calls: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 20_000_000,
            stack: 20_000_000,
            objects: 4_000_000,
            extent: dtest_value::MAX_EXTENT,
            check_calls: true,
        }
    }
}

impl Outcome {
    /// Whether the code was ill-typed. For a program that resolves, this is an internal error.
    pub fn is_ill_typed(&self) -> bool {
        matches!(self, Self::Unsupported(Reason::IllTyped(_)))
    }
}

/// The inputs of an execution.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Inputs {
    /// Type arguments: the owner's, then its own. Empty: the type parameters stand for themselves.
    pub type_args: Vec<Type>,
    /// Arguments; the receiver is the first. The receiver of a constructor is included: an object
    /// whose fields are unassigned.
    pub args: Vec<Value>,
    /// The heap that the arguments refer to.
    pub heap: Heap,
    /// The results of external code, in call order. If one is missing or violates the contract, the
    /// interpreter looks for a result itself.
    pub answers: Vec<Answer>,
}

/// The three-valued result of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Truth {
    /// The condition holds.
    True,
    /// The condition does not hold.
    False,
    /// The condition could not be decided, for this reason.
    Unknown(Reason),
}

impl Truth {
    /// Kleene's conjunction.
    #[must_use]
    pub fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Self::False, _) | (_, Self::False) => Self::False,
            (Self::True, t) | (t, Self::True) => t,
            (Self::Unknown(reason), Self::Unknown(_)) => Self::Unknown(reason),
        }
    }

    /// Whether the condition is known to hold.
    pub fn is_true(&self) -> bool {
        matches!(self, Self::True)
    }

    /// Whether the condition is known not to hold.
    pub fn is_false(&self) -> bool {
        matches!(self, Self::False)
    }
}

impl From<bool> for Truth {
    fn from(b: bool) -> Self {
        if b { Self::True } else { Self::False }
    }
}

/// The result of one clause.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ClauseResult {
    /// The clause in the source; for the type of a parameter, the parameter.
    pub span: Span,
    /// The truth value.
    pub truth: Truth,
    /// The failure that stopped the evaluation. The truth value is then unknown.
    pub failure: Option<Failure>,
    /// The results of external code during the evaluation.
    pub answers: Vec<Answer>,
    /// The reason if the evaluation called external code without a result, or did not end. No test
    /// can then evaluate the clause, even if its value does not depend on that.
    pub unanswered: Option<Reason>,
    /// Whether the evaluation read a constant without a value.
    pub reads_open_constants: bool,
    /// Whether a condition on the way, also of a specification, was not decided, or depends on all
    /// allocated objects: there may be more of them than the inputs have.
    pub has_undecided: bool,
}

/// The admissibility of inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputCheck {
    /// For every parameter: whether the argument is a value of its type.
    pub types: Vec<ClauseResult>,
    /// For every precondition, in order: whether it holds.
    pub requires: Vec<ClauseResult>,
    /// The end of the first clause that does not hold, if comparisons are noted.
    pub obstacle: Option<Obstacle>,
}

impl InputCheck {
    /// Returns the conjunction of all results.
    pub fn verdict(&self) -> Truth {
        self.types
            .iter()
            .chain(&self.requires)
            .fold(Truth::True, |all, c| all.and(c.truth.clone()))
    }
}

/// The resolution of nondeterministic choices ([`dtest_ir::Choosers`] finds them).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Resolution {
    /// The rule for choices: the first candidate.
    #[default]
    Rule,
    /// Pseudorandom choices, determined by the seed.
    Random {
        /// The seed.
        seed: u64,
        /// Preferred numbers.
        ints: Vec<num_bigint::BigInt>,
    },
    /// The choices of a solver model; the rule for choices where the model has none.
    Guided(Guide),
    /// The choices of an earlier execution ([`Execution::chosen`]), in order; the rule for choices
    /// after their end.
    Again(Vec<Chosen>),
}

/// The resolution of one choice.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Chosen {
    /// One of several successors.
    Way(u32),
    /// The given values.
    Values(Vec<Value>),
}

/// The place of a choice.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Opening {
    /// A choice of successors in a callable, identified by the first.
    Ways(CallableId, BlockId),
    /// The choice of a `:|` or `:= *`.
    At(Span),
    /// A variable of a callable that is read before it was assigned.
    Variable(CallableId, Name),
    /// A field that is read before it was assigned.
    Field(FieldId),
    /// The effect of a `modify` statement. The values are an object, the number of a field or
    /// element, and its new value.
    Modified(Span),
}

/// The resolutions of all choices, by place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guide {
    /// The resolutions at each place, in execution order.
    pub taken: SortedMap<Opening, Vec<Chosen>>,
}

/// The record of one execution.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Execution {
    /// Blocks that the outermost activation of the unit entered, each once, in the order of first
    /// entry; up to the failure, if any.
    pub visited: Vec<BlockId>,
    /// Probes that the outermost activation covered, each once, in the order of first coverage.
    pub shown: Vec<u32>,
    /// Probes that the outermost activation reached before any violation, in ascending order. Only
    /// recorded where obligations are goals.
    pub reached_probes: Vec<u32>,
    /// For an entry ([`dtest_ir::Program::systems`]) or a unit with inlined calls
    /// ([`dtest_ir::Program::inlined`]): the goals that inner activations reached, each once, in
    /// order, with the number of [`Self::visited`] blocks before. Goals of recursive activations of
    /// the entry are included.
    pub inner: Vec<(u32, GoalId)>,
    /// Every branch that the outermost activation took, in order: from a block that ends in a
    /// branch or a choice to the chosen block. Limited to [`Execution::MAX_TRACE`].
    pub trace: Vec<(BlockId, BlockId)>,
    /// If paths are goals: the branches of the unit and its inlined callees, in order. Not
    /// cached between runs.
    #[serde(skip)]
    pub path: Vec<(CallableId, BlockId, BlockId)>,
    /// The end of the execution.
    pub outcome: Outcome,
    /// Whether there was no choice with several candidates, no external code and no havoc on the
    /// executed path: Dafny's semantics allows no other result.
    pub deterministic: bool,
    /// Whether compiled code behaves the same for every resolution: choices were made only for
    /// obligations (for example an invariant that reads all elements of an array), which held
    /// independently of them. Also set after all candidates were tried
    /// ([`super::Interp::resolved`]).
    pub determined: bool,
    /// Conditions on the path that could not be decided (assumptions, assertions, preconditions of
    /// callees), with the reason. Execution continued as if they held.
    pub unknown: Vec<(Span, Reason)>,
    /// The undecided assumptions, including those in specifications: `assume`, and postconditions
    /// of lemmas without a proof.
    pub undecided_assumptions: Vec<(Span, Reason)>,
    /// Whether a constant without a value was read.
    pub reads_open_constants: bool,
    /// Whether a condition on the way, also of a specification, was not decided, or depends on all
    /// allocated objects: there may be more of them than the inputs have.
    pub has_undecided: bool,
    /// The heap at the end, without ghost contents that could not be computed.
    pub heap: Heap,
    /// The contents missing in [`Self::heap`]: fields, and elements by their position.
    pub unknown_contents: Vec<(ObjectId, Place)>,
    /// The output. A test compares at most [`dtest_ir::MAX_PRINTED`] characters.
    pub printed: String,
    /// The results of external code, in call order.
    pub answers: Vec<Answer>,
    /// Whether the execution called external code with linked Rust, which a test executes itself.
    pub linked: bool,
    /// The steps taken.
    pub steps: u64,
    /// The resolutions of choices in order; empty if all follow the rule.
    pub chosen: Vec<Chosen>,
    /// Whether a variable with an inferred type was read before it was assigned.
    pub guessed: bool,
    /// Whether the execution ended while computing a constant.
    pub in_constant: bool,
}

impl Execution {
    /// The limit of recorded branches.
    pub const MAX_TRACE: usize = 100_000;

    /// Creates the record of an execution that could not start.
    pub fn before(inputs: &Inputs, outcome: Outcome) -> Self {
        Self {
            visited: Vec::new(),
            shown: Vec::new(),
            reached_probes: Vec::new(),
            inner: Vec::new(),
            trace: Vec::new(),
            path: Vec::new(),
            outcome,
            deterministic: true,
            determined: true,
            unknown: Vec::new(),
            undecided_assumptions: Vec::new(),
            reads_open_constants: false,
            has_undecided: false,
            heap: inputs.heap.clone(),
            unknown_contents: Vec::new(),
            printed: String::new(),
            answers: Vec::new(),
            linked: false,
            steps: 0,
            chosen: Vec::new(),
            guessed: false,
            in_constant: false,
        }
    }
}

/// The end of an execution.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Outcome {
    /// The execution returned these values of the out-parameters. `None`: never assigned, or ghost
    /// and not computable.
    Returned(Vec<Option<Value>>),
    /// An obligation failed: the program violates it for these inputs.
    Failed(Failure),
    /// A failed `expect`.
    Halted {
        /// The statement.
        span: Span,
        /// The printed message.
        message: String,
    },
    /// A limit was exceeded.
    OutOfFuel(Limit),
    /// A false assumption: the execution is irrelevant.
    Infeasible(Span),
    /// The program uses a construct that cannot be executed.
    Unsupported(Reason),
}

/// A violated obligation.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Failure {
    /// The kind of failure.
    pub kind: FailureKind,
    /// The failing place.
    pub span: Span,
    /// The violated clause, if it is elsewhere and known.
    pub clause: Option<Span>,
    /// A description with the values.
    pub message: String,
}

/// The kinds of violated obligations.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum FailureKind {
    /// An `assert` statement.
    Assert,
    /// A loop invariant. Where entry and preservation are distinguished: on entry to the loop.
    Invariant,
    /// A loop invariant after an iteration.
    InvariantKept,
    /// A measure that does not decrease from iteration to iteration, or from call to call.
    Decreases,
    /// A callee's precondition.
    Precondition,
    /// A postcondition. Of the outermost activation, [`super::Interp::check_ensures`] evaluates it.
    Postcondition,
    /// A change outside the `modifies` clause.
    Modifies,
    /// The range of a `for` loop, whose lower bound exceeds the upper one.
    LoopRange,
    /// A function that calls itself in its own postcondition for arguments that are not smaller.
    Termination,
    /// A read outside the `reads` clause.
    Reads,
    /// A value outside its subset type or newtype, a failed conversion.
    TypeConstraint,
    /// A match or alternative statement without an applicable case.
    MissingCase,
    /// Two targets of one statement that are the same place and get different values.
    Aliasing,
    /// `:|` with several candidates in a compiled expression.
    NotUnique,
    /// An index or range outside its sequence or array.
    Index,
    /// A key that is not in the map.
    Key,
    /// A zero divisor.
    Division,
    /// A destructor applied to a value of another constructor.
    Destructor,
    /// A null reference.
    Null,
    /// A negative length or shift amount, and other operands outside an operator's domain.
    Domain,
    /// A `:|` without a suitable value.
    NoCandidate,
    /// A variable or field that was never assigned.
    Unassigned,
    /// A function value applied outside its precondition.
    Application,
    /// A location or object used in a state in which it was not yet allocated.
    Allocated,
    /// A postcondition of an overridden declaration that is not ensured.
    Override,
    /// A witness that is not a value of its type.
    Witness,
    /// A type for which no value is known, where one is needed.
    Inhabited,
}

impl FailureKind {
    /// Returns the kind of the violated obligation.
    pub fn obligation(self) -> ObligationKind {
        match self {
            Self::Assert => ObligationKind::Assertion,
            Self::Invariant => ObligationKind::InvariantOnEntry,
            Self::InvariantKept => ObligationKind::InvariantKept,
            Self::Decreases => ObligationKind::Decreases,
            Self::Reads => ObligationKind::Reads,
            Self::Precondition => ObligationKind::Precondition,
            Self::Postcondition => ObligationKind::Postcondition,
            Self::Modifies => ObligationKind::Frame,
            Self::LoopRange => ObligationKind::LoopRange,
            Self::Termination => ObligationKind::Decreases,
            Self::TypeConstraint => ObligationKind::Type,
            Self::MissingCase => ObligationKind::Case,
            Self::Aliasing => ObligationKind::Aliasing,
            Self::NotUnique => ObligationKind::Uniqueness,
            Self::Index => ObligationKind::Index,
            Self::Key => ObligationKind::Key,
            Self::Division => ObligationKind::Divisor,
            Self::Destructor => ObligationKind::Constructor,
            Self::Null => ObligationKind::NonNull,
            Self::Domain => ObligationKind::Domain,
            Self::NoCandidate => ObligationKind::Existence,
            Self::Unassigned => ObligationKind::Assigned,
            Self::Application => ObligationKind::Application,
            Self::Allocated => ObligationKind::Allocated,
            Self::Override => ObligationKind::Override,
            Self::Witness => ObligationKind::Witness,
            Self::Inhabited => ObligationKind::Inhabited,
        }
    }
}

/// The result of running `Main`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MainResult {
    /// The exit status of a Dafny program.
    pub status: i32,
    /// The end of the execution.
    pub outcome: Outcome,
    /// Whether the execution made no nondeterministic choice.
    pub deterministic: bool,
}
