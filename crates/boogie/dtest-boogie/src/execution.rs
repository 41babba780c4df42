//! Reported executions.

use dafny_source::Span;

use crate::world::Stop;

/// The kinds of obligations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FailureKind {
    /// An `assert`.
    Assertion,
    /// A `requires` of a callee.
    Precondition,
    /// An `ensures`.
    Postcondition,
    /// An `invariant` on entry to the loop.
    InvariantAtEntry,
    /// An `invariant` after an iteration.
    Invariant,
}

impl FailureKind {
    /// Returns the name of the obligation.
    pub fn text(self) -> &'static str {
        match self {
            Self::Assertion => "assertion",
            Self::Precondition => "precondition",
            Self::Postcondition => "postcondition",
            Self::InvariantAtEntry => "invariant at entry",
            Self::Invariant => "invariant",
        }
    }
}

/// A violated obligation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Failure {
    /// The kind of the obligation.
    pub kind: FailureKind,
    /// The source of the obligation.
    pub clause: Span,
    /// The place of the violation. For contracts of a callee, this is the call.
    pub at: Span,
}

/// The end of an execution.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Ending {
    /// The execution satisfies every obligation.
    #[default]
    Passed,
    /// The execution takes the same path as an earlier one, with other inputs.
    Repeated,
    /// The execution violates an obligation.
    Failed(Failure),
    /// No state continues here.
    Infeasible(Span),
    /// A loop that is represented by its invariant ends an iteration.
    Cut,
    /// It is undecided whether the obligation holds.
    ObligationNotDecided(Failure, Stop),
    /// The continuation is undecided.
    NotDecided(Stop),
}

/// The event of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// A statement is executed.
    Statement,
    /// A condition has this value.
    Condition(bool),
    /// Control reaches the head of a loop after this number of iterations.
    Rounds(usize),
    /// The body of a procedure is entered.
    Entered(String),
    /// The body of a procedure is left.
    Left(String),
}

/// A step of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The event.
    pub kind: StepKind,
    /// The place.
    pub span: Span,
    /// The number of enclosing calls.
    pub depth: usize,
    /// The variables that change, with their new values.
    pub changed: Vec<(String, String)>,
}

/// An execution for the user.
#[derive(Clone, Default, Debug)]
pub struct Execution {
    /// The end of the execution.
    pub ending: Ending,
    /// The relevant parameters, constants and global variables with their initial values.
    pub inputs: Vec<(String, String)>,
    /// The results and changed global variables at the end.
    pub outputs: Vec<(String, String)>,
    /// The active calls at the end, the outermost first.
    pub calls: Vec<(String, Span)>,
    /// The output of `{:print …}`.
    pub printed: Vec<String>,
    /// The number of executed statements.
    pub steps: usize,
    /// The steps, if they were requested.
    pub trace: Vec<Step>,
}
