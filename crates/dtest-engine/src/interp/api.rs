//! What goes in and comes out of the interpreter.

use crate::ir::{BlockId, GoalId, ObligationKind};
use crate::reason::{Limit, Reason};
pub use crate::value::{Answer, Place};
use crate::value::{Heap, ObjectId, Value};
use dafny_resolve::typed::{CallableId, FieldId, Type};
use dafny_syntax::source::{Name, Span};
use dtest_sorted::SortedMap;

/// Longest output of an execution that a test compares, in characters: what is printed beyond is not seen.
pub const MAX_PRINTED: usize = 16_000;

/// How far an execution may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps of the machine, in one call of the interpreter.
    pub steps: u64,
    /// Words on the machine's stack: bounds the depth of the program's recursion.
    pub stack: usize,
    /// Objects in the heap, and elements in one array or sequence that a length asks for at once.
    pub objects: usize,
    /// Parts of one value that a program makes, those that it holds twice counted twice ([`crate::value::Value::extent`]).
    pub extent: u64,
    /// Whether calls by compiled code check the callee's precondition.
    pub check_calls: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 20_000_000,
            stack: 20_000_000,
            objects: 4_000_000,
            extent: crate::value::MAX_EXTENT,
            check_calls: true,
        }
    }
}

impl Outcome {
    /// Whether the code was not well-typed: of a program that resolves, a mistake of ours.
    pub fn is_ill_typed(&self) -> bool {
        matches!(self, Self::Unsupported(Reason::IllTyped(_)))
    }
}

/// A state to start from.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Inputs {
    /// What the type parameters stand for (owner's, then own); empty: they stand for themselves.
    pub type_args: Vec<Type>,
    /// Arguments; the receiver first. A constructor's receiver is given too: an object whose fields
    /// were never assigned.
    pub args: Vec<Value>,
    /// The heap that the arguments point into.
    pub heap: Heap,
    /// What stands in for external code answers, in the order of the calls; where it says nothing, or what breaks the
    /// contract, the interpreter looks for an answer itself.
    pub answers: Vec<Answer>,
}

/// The value of a condition as far as it can be computed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Truth {
    /// It holds.
    True,
    /// It does not.
    False,
    /// It could not be decided, and why.
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

    /// Whether it is known to hold.
    pub fn is_true(&self) -> bool {
        matches!(self, Self::True)
    }

    /// Whether it is known not to hold.
    pub fn is_false(&self) -> bool {
        matches!(self, Self::False)
    }
}

impl From<bool> for Truth {
    fn from(b: bool) -> Self {
        if b { Self::True } else { Self::False }
    }
}

/// A clause and its value.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ClauseResult {
    /// Where the clause stands; for the type of a parameter, the parameter.
    pub span: Span,
    /// Its value.
    pub truth: Truth,
    /// Where its evaluation failed: the clause has no value, and then its value is unknown.
    pub failure: Option<Failure>,
    /// What stood in for external code while it was evaluated.
    pub answers: Vec<Answer>,
    /// That it asked for external code which nothing stands in for, or that its evaluation does not end. Then no test can evaluate it,
    /// even where its value does not depend on that.
    pub unanswered: Option<Reason>,
    /// Whether its evaluation read a constant without a value.
    pub reads_open_constants: bool,
}

/// Whether inputs are admissible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputCheck {
    /// Every parameter: whether the argument is a value of its type.
    pub types: Vec<ClauseResult>,
    /// Every precondition, in order.
    pub requires: Vec<ClauseResult>,
}

impl InputCheck {
    /// All of them together.
    pub fn verdict(&self) -> Truth {
        self.types
            .iter()
            .chain(&self.requires)
            .fold(Truth::True, |all, c| all.and(c.truth.clone()))
    }
}

/// How what the language leaves open is resolved ([`crate::ir::Choosers`] says where that is).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Resolution {
    /// By the rule for choices: what comes first.
    #[default]
    Rule,
    /// By numbers that look random, the same ones for the same seed.
    Random {
        /// The seed.
        seed: u64,
        /// Numbers that are worth choosing.
        ints: Vec<num_bigint::BigInt>,
    },
    /// As a model of the solver has it; where it says nothing, by the rule.
    Guided(Guide),
    /// As an earlier execution had it ([`Execution::chosen`]), in order; where it says nothing, by the rule.
    Again(Vec<Chosen>),
}

/// What was taken where something was left open.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Chosen {
    /// One of several ways to go on.
    Way(u32),
    /// These values.
    Values(Vec<Value>),
}

/// A place at which something is left open.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Opening {
    /// Several ways to go on in a callable, by the first.
    Ways(CallableId, BlockId),
    /// A `:|` or `:= *`.
    At(Span),
    /// A variable of a callable that is read before somebody assigned it.
    Variable(CallableId, Name),
    /// A field, likewise.
    Field(FieldId),
}

/// What to take at every place, in the order in which executions come there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guide {
    /// What to take.
    pub taken: SortedMap<Opening, Vec<Chosen>>,
}

/// What one execution did.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Execution {
    /// Blocks of the unit's outermost activation that were entered, each once, in the order of first entry;
    /// up to the failure if there was one.
    pub visited: Vec<BlockId>,
    /// Probes of the outermost activation that were shown, each once, in the order in which they first were.
    pub shown: Vec<u32>,
    /// Probes of the outermost activation that it came to while it broke no obligation, in ascending order, where obligations are goals.
    pub come_to: Vec<u32>,
    /// Of an entry ([`crate::ir::Program::systems`]), and where calls are told apart ([`crate::ir::Program::inlined`]): goals that inner
    /// activations reached, each once, in the order in which they first did, with how many of [`Self::visited`] came before. Those of the
    /// entry itself, where something calls it, are among them.
    pub inner: Vec<(u32, GoalId)>,
    /// Every branch that the outermost activation took, in order: from a block that ends in a branch or
    /// a choice, to the block chosen. Only the first [`Execution::MAX_TRACE`] are kept.
    pub trace: Vec<(BlockId, BlockId)>,
    /// Where paths are goals: the same with those of what is inlined in the unit, in order. It is not kept between runs.
    #[serde(skip)]
    pub path: Vec<(CallableId, BlockId, BlockId)>,
    /// How it ended.
    pub outcome: Outcome,
    /// No choice with several candidates, no extern and no havoc lay on the executed path: Dafny's semantics
    /// allows no other result.
    pub deterministic: bool,
    /// Compiled code does the same whatever is chosen: what was chosen on the path, if anything was, was asked for by obligations alone
    /// (such as an invariant that reads all elements of an array), and they were kept, whatever it was or not. Whoever has tried all
    /// candidates ([`super::Interp::resolved`]) may say so too.
    pub determined: bool,
    /// Conditions on the path that could not be decided (assumptions, assertions, preconditions of callees),
    /// with the reason; execution went on as if they held.
    pub unknown: Vec<(Span, Reason)>,
    /// The assumptions among them, and those of specifications: `assume` and the claims of lemmas without a proof.
    pub undecided_assumptions: Vec<(Span, Reason)>,
    /// Whether a constant without a value was read.
    pub reads_open_constants: bool,
    /// The heap at the end; ghost contents that could not be computed are left out.
    pub heap: Heap,
    /// Which contents those are: fields, and elements by their position.
    pub unknown_contents: Vec<(ObjectId, Place)>,
    /// What was printed. A test compares at most [`MAX_PRINTED`] characters.
    pub printed: String,
    /// What stood in for external code, in the order of the calls.
    pub answers: Vec<Answer>,
    /// Whether Rust is linked to some external code on the way: in a test, that code answers for itself.
    pub linked: bool,
    /// Steps taken.
    pub steps: u64,
    /// What was taken where something was left open, in order; empty where that is the rule's business.
    pub chosen: Vec<Chosen>,
    /// Whether a variable whose type nobody wrote was read before it was assigned.
    pub guessed: bool,
    /// Whether it ends while a constant is computed.
    pub in_constant: bool,
}

impl Execution {
    /// How many entries of a trace are kept.
    pub const MAX_TRACE: usize = 100_000;

    /// An execution that ended before it began.
    pub fn before(inputs: &Inputs, outcome: Outcome) -> Self {
        Self {
            visited: Vec::new(),
            shown: Vec::new(),
            come_to: Vec::new(),
            inner: Vec::new(),
            trace: Vec::new(),
            path: Vec::new(),
            outcome,
            deterministic: true,
            determined: true,
            unknown: Vec::new(),
            undecided_assumptions: Vec::new(),
            reads_open_constants: false,
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

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Outcome {
    /// It returned these values of the out-parameters. `None`: one that was never assigned, or a ghost one that
    /// could not be computed.
    Returned(Vec<Option<Value>>),
    /// A proof obligation failed: the program is wrong for these inputs.
    Failed(Failure),
    /// An `expect` was false.
    Halted {
        /// The statement.
        span: Span,
        /// What it prints.
        message: String,
    },
    /// A limit was met; which.
    OutOfFuel(Limit),
    /// An assumption was false: this execution does not exist.
    Infeasible(Span),
    /// Something cannot be executed.
    Unsupported(Reason),
}

/// A proof obligation that failed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Failure {
    /// Which.
    pub kind: FailureKind,
    /// Where.
    pub span: Span,
    /// The clause that asks for it, where that stands elsewhere and is known.
    pub clause: Option<Span>,
    /// In words, with the values.
    pub message: String,
}

/// What a failed obligation was.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum FailureKind {
    /// An `assert`.
    Assert,
    /// A loop invariant; where both are told apart, when the loop is come to.
    Invariant,
    /// A loop invariant after an iteration.
    InvariantKept,
    /// A measure that does not get smaller from iteration to iteration, or from call to call.
    Decreases,
    /// A callee's precondition.
    Precondition,
    /// A postcondition; the interpreter leaves these to [`super::Interp::check_ensures`].
    Postcondition,
    /// A change outside of the `modifies` clause.
    Modifies,
    /// The lower bound of a `for` loop exceeds the upper one.
    LoopRange,
    /// A function calls itself in its own postcondition, for arguments that are no smaller.
    Termination,
    /// Something read outside of the `reads` clause.
    Reads,
    /// A value outside its subset type or newtype, a failed conversion.
    TypeConstraint,
    /// No case of a match or alternative applies.
    MissingCase,
    /// Two targets of a statement that are one place and get different values.
    Aliasing,
    /// An index or range outside its sequence or array.
    Index,
    /// A key that a map lacks.
    Key,
    /// A zero divisor.
    Division,
    /// A destructor of another constructor.
    Destructor,
    /// A null reference.
    Null,
    /// A negative length or shift amount, and other operands outside an operator's domain.
    Domain,
    /// `:|` without a candidate.
    NoCandidate,
    /// A variable or field that was never assigned.
    Unassigned,
    /// A function value applied outside its precondition.
    Application,
    /// Something used in a state in which it was not allocated yet.
    Allocated,
    /// What an overridden declaration ensures is not ensured.
    Override,
    /// A witness is no value of its type.
    Witness,
}

impl FailureKind {
    /// The kind of obligation that was broken.
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
        }
    }
}

/// How `Main` ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MainResult {
    /// The exit status as Dafny's programs give it.
    pub status: i32,
    /// How it ended.
    pub outcome: Outcome,
    /// Whether nothing was chosen that the language leaves open.
    pub deterministic: bool,
}
