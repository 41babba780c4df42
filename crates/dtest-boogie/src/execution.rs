//! What is told of executions.

use dafny_syntax::source::Span;

use crate::world::Stop;

/// Kinds of obligations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FailureKind {
    /// `assert`
    Assertion,
    /// `requires` of a callee
    Precondition,
    /// `ensures`
    Postcondition,
    /// `invariant`, where the loop is entered
    InvariantAtEntry,
    /// `invariant`, after a round
    Invariant,
}

impl FailureKind {
    /// The obligation in words.
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

/// An obligation that is broken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Failure {
    /// Which kind.
    pub kind: FailureKind,
    /// The place of the obligation.
    pub clause: Span,
    /// Where it is broken: the call, for what a callee obligations or asks for.
    pub at: Span,
}

/// How an execution ends.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Ending {
    /// It keeps every obligation.
    #[default]
    Passed,
    /// The same path as before, from other inputs.
    Repeated,
    /// It violates an obligation.
    Failed(Failure),
    /// No state goes on here.
    Infeasible(Span),
    /// A loop that is known by its invariant ends a round.
    Cut,
    /// Whether the obligation is kept could not be decided.
    ObligationNotDecided(Failure, Stop),
    /// How it goes on could not be decided.
    NotDecided(Stop),
}

/// What happens in a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// A statement is executed.
    Statement,
    /// A condition decides.
    Condition(bool),
    /// Control comes to the head of a loop, after so many rounds.
    Rounds(usize),
    /// A body is entered.
    Entered(String),
    /// A body is left.
    Left(String),
}

/// A step of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What happens.
    pub kind: StepKind,
    /// Where.
    pub span: Span,
    /// How many calls are around it.
    pub depth: usize,
    /// Variables that have other values afterwards.
    pub changed: Vec<(String, String)>,
}

/// An execution, as it is shown.
#[derive(Clone, Default, Debug)]
pub struct Execution {
    /// How it ends.
    pub ending: Ending,
    /// Parameters, constants and global variables that matter, with their values at the beginning.
    pub inputs: Vec<(String, String)>,
    /// Results and changed global variables at the end.
    pub outputs: Vec<(String, String)>,
    /// Calls around the end, the outermost first.
    pub calls: Vec<(String, Span)>,
    /// What `{:print …}` printed.
    pub printed: Vec<String>,
    /// How many statements were executed.
    pub steps: usize,
    /// The steps, where these are asked for.
    pub trace: Vec<Step>,
}
