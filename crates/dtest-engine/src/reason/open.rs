//! Why a goal is open: neither an execution nor a proof settles it.

use std::fmt;

use super::Reason;
use dafny_syntax::source::Name;

/// Why a goal is open. What is unknown goes before what the search could not do.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum OpenReason {
    /// What the goal needs is not executed, encoded or known.
    Unsupported(Reason),
    /// The search left something out for this reason.
    LeftOut(Reason),
    /// Inputs reach the goal of which a precondition is not decided.
    ReachedFromUndecided(Reason),
    /// Inputs break the promise of which a precondition is not decided.
    BrokenFromUndecided(Reason),
    /// An assumption on the way to the goal is not decided.
    Assumption(Reason),
    /// An execution breaks the promise that may be none of the program.
    Doubt(Doubt),
    /// The search ended before.
    Search(Unsettled),
    /// The execution failed, with this message.
    Failed(Name),
}

phrases! {
    /// Why an execution that breaks a promise may be none of the program.
    Doubt {
        NarrowerType: "a variable that was never assigned has a value outside of the type, but Dafny may infer a narrower type for it",
        GuardedBound: "a bound of a quantifier has no value, where a condition may stand before it",
        AboutAnswers: "it says what code without a body answers",
        ToldByLemmas: "an answer of code without a body breaks it, of which lemmas say more than its contract",
    }
}

phrases! {
    /// Where a search ended.
    Unsettled {
        SolverLimit: "the solver's resource limit (`--rlimit`)",
        SolverGaveUp: "the solver gave up within its resource limit (`--rlimit`)",
        UnitsTime: "the unit's time (`--timeout`)",
        TimeOver: "the unit's time is over (`--timeout`)",
        CostOver: "the unit cost more than it may (`--rlimit`)",
        PartOfTimeOver: "the unit's part of the time that the program may take is over (`--timeout`)",
        PartOfCostOver: "the unit cost more than its part of what the program may cost (`--rlimit`)",
        Unconfirmed: "the interpreter confirmed no model of the solver",
        NotExcluded: "the solver excludes it neither within the bounds nor beyond, and found no execution",
        NotBroken: "nothing within the bounds was found to break it, and no proof",
        Endless: "it does not end within the limits",
    }
}

impl fmt::Display for OpenReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(reason) => write!(f, "not supported: {reason}"),
            Self::LeftOut(reason) => reason.fmt(f),
            Self::ReachedFromUndecided(reason) => {
                write!(f, "whether the precondition holds for inputs that reach it is not known: {reason}")
            }
            Self::BrokenFromUndecided(reason) => {
                write!(f, "inputs were found that break it, but whether a precondition holds for them is not known: {reason}")
            }
            Self::Assumption(reason) => write!(f, "whether an assumption on the way there holds is not known: {reason}"),
            Self::Doubt(doubt) => doubt.fmt(f),
            Self::Search(unsettled) => unsettled.fmt(f),
            Self::Failed(message) => f.write_str(message),
        }
    }
}
