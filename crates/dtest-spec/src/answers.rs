//! Answers about a contract.

use dafny_source::Span;

use crate::Undecided;

/// The strength of a claim about all inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// Proved, for inputs and results of any size.
    Proved,
    /// Holds for all inputs and results within these bounds.
    Within(String),
}

/// A value with the name by which the contract refers to it: a parameter, `result`, `a[..]` or
/// `this.f`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named {
    /// The name, as an expression.
    pub name: String,
    /// The value, as an expression.
    pub value: String,
}

/// Inputs with the results that the contract accepts for them.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Example {
    /// The inputs.
    pub inputs: Vec<Named>,
    /// Different results that the contract accepts: one for an accepted case, two for an open
    /// contract, none if the contract accepts no result.
    pub results: Vec<Vec<Named>>,
}

/// The answer on the precondition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Satisfiable {
    /// Inputs satisfy it.
    Yes(Example),
    /// No inputs satisfy it.
    No {
        /// The certainty.
        certainty: Certainty,
        /// A minimal set of preconditions that exclude each other, as indices of the clauses.
        clauses: Vec<usize>,
    },
    /// The question is not decided.
    Undecided(Undecided),
}

/// The answer on the existence of results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Implementable {
    /// Every accepted input has an accepted result.
    Yes(Certainty),
    /// Some accepted input has no accepted result.
    No {
        /// The input, without results.
        example: Example,
        /// The certainty that there is no result.
        certainty: Certainty,
        /// A minimal set of postconditions that exclude each other for this input, as indices of
        /// the clauses.
        clauses: Vec<usize>,
    },
    /// The question is not decided.
    Undecided(Undecided),
}

/// A relation between two results that is weaker than equality.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Equivalence {
    /// The results have the same elements, possibly in another order, as in this example.
    Order(Example),
    /// The results may differ in the objects that fields refer to, which are not compared.
    Identity,
}

/// The answer on the number of results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// Each input has at most one result.
    Determined(Certainty),
    /// The results of an input differ at most by the relation.
    UpTo(Equivalence, Certainty),
    /// Some input has two different results.
    Open(Example),
    /// The question is not decided.
    Undecided(Undecided),
}

/// The kind of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClauseKind {
    /// A precondition.
    Requires,
    /// A postcondition.
    Ensures,
}

/// The contribution of a clause to its contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contribution {
    /// The clause excludes inputs or results that all other clauses accept.
    Decisive(Example),
    /// Proved: the other clauses imply this one.
    Redundant,
    /// The other clauses imply this one within these bounds.
    Idle(String),
    /// Without results, a postcondition is a claim that follows from the preconditions.
    Claim,
    /// The question is not decided.
    Undecided(Undecided),
}

/// The answer on a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClauseAnswer {
    /// The kind.
    pub kind: ClauseKind,
    /// The source range of the condition.
    pub span: Span,
    /// The contribution.
    pub contribution: Contribution,
}

/// The answers on a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specification {
    /// The precondition.
    pub satisfiable: Satisfiable,
    /// The existence of results.
    pub implementable: Implementable,
    /// The number of results.
    pub completeness: Completeness,
    /// An input with an accepted result, if one was found.
    pub accepted: Option<Example>,
    /// The preconditions, followed by the postconditions, in the order of the source.
    pub clauses: Vec<ClauseAnswer>,
    /// Whether there are results or final states to compare. Without them, the contract determines
    /// nothing.
    pub has_results: bool,
    /// The number of inputs that were tried, and the number of these with only one result among the
    /// results that were tried. `None` if no results were tried.
    pub tried: Option<(usize, usize)>,
}

impl Specification {
    /// Returns the percentage of inputs for which the contract determines the result, among those
    /// that were tried. `None` if nothing is known.
    pub fn score(&self) -> Option<f64> {
        if !self.has_results {
            return None;
        }
        match (&self.completeness, self.tried) {
            (Completeness::Determined(_) | Completeness::UpTo(..), _) => Some(100.0),
            (Completeness::Open(_), Some((all, determined))) if all > 0 => {
                Some(determined as f64 * 100.0 / all as f64)
            }
            (Completeness::Open(_), _) => Some(0.0),
            (Completeness::Undecided(_), _) => None,
        }
    }
}
