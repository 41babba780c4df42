//! Reasons why a goal is open: it is neither covered nor proved unreachable.

use std::fmt;

use super::Reason;
use crate::bounds::{BoundKind, Bounds, Scope};
use dafny_source::Name;
use dtest_sorted::SortedSet;

/// The reason why a goal is open. Unknown facts take precedence over limits of the search.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum OpenReason {
    /// A part of the goal is not executed, encoded or known.
    Unsupported(Reason),
    /// The search excluded something for this reason.
    LeftOut(Reason),
    /// Inputs with an undecided precondition reach the goal.
    ReachedFromUndecided(Reason),
    /// Inputs with an undecided precondition violate the obligation.
    BrokenFromUndecided(Reason),
    /// Inputs violate the obligation on a path with an undecided assumption.
    BrokenUnderUndecided(Reason),
    /// An assumption on the path to the goal is undecided.
    Assumption(Reason),
    /// It is doubtful whether a violating execution is an execution of the program.
    Doubt(Doubt),
    /// Executions that may reach the goal were not followed to their end.
    Cut(Cut),
    /// No execution from these inputs reaches the obligation, so nothing is known about it.
    NotReached(Scope),
    /// The search ended early.
    Search(Unsettled),
    /// The execution failed, with this message.
    Failed(Name),
}

/// The bounds at which executions are cut, with their kinds. Nothing is known of such executions.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Cut(Vec<(BoundKind, u32)>);

impl Cut {
    /// Creates the cut at bounds of these kinds.
    pub fn at(bounds: &Bounds, kinds: &SortedSet<BoundKind>) -> Self {
        Self(kinds.iter().map(|kind| (*kind, bounds.of(*kind))).collect())
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |(kind, most): &(BoundKind, u32)| match kind {
            BoundKind::Collection => {
                format!("collections of more than {most} elements (`--max-size`)")
            }
            BoundKind::Depth => {
                format!("values of more than {most} nested constructors (`--max-size`)")
            }
            BoundKind::Objects => format!("more than {most} objects of a class (`--max-size`)"),
            BoundKind::Unroll => format!("more than {most} iterations of a loop (`--unroll`)"),
            BoundKind::Inline => format!("recursion of more than {most} calls (`--inline`)"),
            BoundKind::Calls => format!("more than {most} calls of the same callee (`--inline`)"),
        };
        let parts: Vec<String> = self.0.iter().map(part).collect();
        let all = match parts.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => return f.write_str("executions were not followed to their end"),
        };
        write!(f, "executions with {all} were not followed to their end")
    }
}

phrases! {
    /// The reason why a violating execution may not be an execution of the program.
    Doubt {
        NarrowerType: "an unassigned variable has a value outside of the type, but Dafny may infer a narrower type for it",
        GuardedBound: "a bound of a quantifier has no value, but an earlier condition may guard it",
        AboutAnswers: "it constrains the result of code without a body",
        AboutConstants: "it constrains the value of a constant without a value",
        ConstantToldByLemmas: "it is violated by a value of a constant without a value, about which lemmas say more",
        ToldByLemmas: "it is violated by a result of code without a body, about which lemmas say more than its contract",
    }
}

phrases! {
    /// The reason why a search ended.
    Unsettled {
        SolverLimit: "the solver reached its resource limit (`--rlimit`)",
        SolverGaveUp: "the solver gave up within its resource limit (`--rlimit`)",
        UnitsTime: "the unit ran out of time (`--timeout`)",
        TimeOver: "the unit ran out of time (`--timeout`)",
        CostOver: "the unit exceeded its budget (`--rlimit`)",
        SolverStopped: "the solver was stopped by the clock, before it used up its resource limit (`--rlimit`): another run may decide it",
        PartOfCostOver: "the unit used up its share of the program's budget (`--rlimit`)",
        Unconfirmed: "the interpreter could not confirm any model of the solver",
        NotExcluded: "the solver found no execution, and excludes none within or beyond the bounds",
        NotBroken: "no violation was found within the bounds, and no proof",
        Endless: "it does not terminate within the limits",
    }
}

impl fmt::Display for OpenReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(reason) => write!(f, "not supported: {reason}"),
            Self::LeftOut(reason) => reason.fmt(f),
            Self::ReachedFromUndecided(reason) => {
                write!(
                    f,
                    "it could not be decided whether the precondition holds for inputs that reach it: {reason}"
                )
            }
            Self::BrokenFromUndecided(reason) => {
                write!(
                    f,
                    "inputs were found that violate it, but it could not be decided whether a precondition holds for them: {reason}"
                )
            }
            Self::BrokenUnderUndecided(reason) => {
                write!(
                    f,
                    "inputs were found that violate it, but it could not be decided whether an assumption on the way holds: {reason}"
                )
            }
            Self::Assumption(reason) => write!(
                f,
                "it could not be decided whether an assumption on the path to it holds: {reason}"
            ),
            Self::Doubt(doubt) => doubt.fmt(f),
            Self::Cut(cut) => cut.fmt(f),
            Self::NotReached(scope) => {
                write!(f, "no execution within the bounds comes to it ({scope})")
            }
            Self::Search(unsettled) => unsettled.fmt(f),
            Self::Failed(message) => f.write_str(message),
        }
    }
}
