//! Goals of tests, and the coverage criteria that determine them.
//!
//! Key types: [`Criterion`], [`Criteria`], [`Goal`], [`GoalId`], [`ObligationKind`].
//! [`Program::goals`] enumerates the goals of a unit.

use std::fmt;

use super::{BlockId, CallId, Procedure, Program};
use dafny_resolve::typed::CallableId;
use dafny_source::Span;
use dtest_sorted::SortedSet;

/// A coverage criterion.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Criterion {
    /// Every block: arms of `if` and `match`, bodies of loops, the code after loops,
    /// short-circuited operands.
    Block,
    /// Every outcome of every condition. This exceeds `Block` where two outcomes lead to one block.
    Branch,
    /// Every block of the unit, and every block of its callees once for each chain of calls that
    /// leads to it (Fedchin et al. 2023: *InlinedBlock*).
    InlinedBlock,
    /// Every feasible path within the bounds, including the paths through callees (Christ,
    /// Hoenicke, Schäf 2012, section 5: AlgPC).
    Path,
    /// For every comparison in executed code: both sides equal, and the left side one less and one
    /// more than the right side.
    Boundary,
    /// Every condition independently decides its decision, both ways (masking MC/DC with
    /// short-circuit evaluation).
    Mcdc,
    /// Every way in which a precondition or postcondition can hold.
    Spec,
    /// Blocks, and the continuation after every statement that execution may not get past. Used by
    /// the search for dead code.
    #[serde(skip)]
    Flow,
    /// The violation of each obligation of the program. Used by the search for violations.
    #[serde(skip)]
    Obligation,
    /// A difference between the mutant and the unit at the mutated place. Used to find tests that
    /// kill mutants.
    #[serde(skip)]
    Mutant,
}

impl Criterion {
    /// The criteria that a user can select, with their names.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Block, "block"),
        (Self::Branch, "branch"),
        (Self::InlinedBlock, "inlined-block"),
        (Self::Path, "path"),
        (Self::Boundary, "boundary"),
        (Self::Mcdc, "mcdc"),
        (Self::Spec, "spec"),
    ];

    /// Returns the criterion with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(_, n)| *n == name)
            .map(|(criterion, _)| *criterion)
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL
            .iter()
            .find(|(c, _)| c == self)
            .map_or("", |(_, name)| name);
        f.write_str(name)
    }
}

/// A nonempty set of criteria. The goals are the union of the goals of each criterion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Criteria(SortedSet<Criterion>);

/// The error of an empty set of criteria.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoCriterion;

impl std::fmt::Display for NoCriterion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("at least one coverage criterion is required")
    }
}

impl std::error::Error for NoCriterion {}

impl Criteria {
    /// Creates the set of the given criteria.
    ///
    /// # Errors
    /// `criteria` is empty.
    pub fn new(criteria: impl IntoIterator<Item = Criterion>) -> Result<Self, NoCriterion> {
        let set: SortedSet<Criterion> = criteria.into_iter().collect();
        if set.is_empty() {
            Err(NoCriterion)
        } else {
            Ok(Self(set))
        }
    }

    /// The set of [`Criterion::Obligation`] alone.
    pub fn obligations() -> Self {
        Self(SortedSet::from([Criterion::Obligation]))
    }

    /// The set of [`Criterion::Mutant`] alone.
    pub fn mutants() -> Self {
        Self(SortedSet::from([Criterion::Mutant]))
    }

    /// Whether the set contains this criterion.
    pub fn has(&self, criterion: Criterion) -> bool {
        self.0.contains(&criterion)
    }

    /// Whether every block of a unit is a goal. Branch coverage and inlined-block coverage include
    /// block coverage.
    pub fn has_blocks(&self) -> bool {
        self.has_blocks_once() || self.has(Criterion::InlinedBlock)
    }

    /// Whether every block is one goal, independent of the chain of calls that leads to it. For an
    /// entry, this includes the blocks of its callees.
    pub fn has_blocks_once(&self) -> bool {
        self.has(Criterion::Block) || self.has(Criterion::Branch) || self.has(Criterion::Flow)
    }

    /// Whether the calls of a callee are distinguished from each other.
    pub fn tells_calls_apart(&self) -> bool {
        self.has(Criterion::InlinedBlock) || self.has(Criterion::Path)
    }

    /// Whether the search looks for blocks. Path coverage needs them too: paths are followed within
    /// the bounds at which all blocks are reached.
    pub fn seeks_blocks(&self) -> bool {
        self.has_blocks() || self.has(Criterion::Path)
    }

    /// Whether the set is [`Criterion::Block`] alone, the default.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for Criteria {
    fn default() -> Self {
        Self(SortedSet::from([Criterion::Block]))
    }
}

impl fmt::Display for Criteria {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&names.join(","))
    }
}

/// The identity of a goal within a unit.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum GoalId {
    /// The entry of a block.
    Block(BlockId),
    /// A probe, by its number in [`Procedure::probes`].
    Probe(u32),
    /// A way in which the contract holds, by its number in [`super::Contract::ways`].
    Way(u32),
    /// A path, numbered in the order of discovery. These goals are not known before the search.
    Path(u32),
    /// The entry of a block of a callee of the entry.
    BlockIn(CallableId, BlockId),
    /// A probe of a callee of the entry.
    ProbeIn(CallableId, u32),
    /// The entry of a block of a callee through one particular call.
    BlockBy(CallId, CallableId, BlockId),
}

impl GoalId {
    /// Returns the callable and the block that the goal asks to enter, independent of calls; `None`
    /// for other goals.
    pub fn block(self, unit: CallableId) -> Option<(CallableId, BlockId)> {
        match self {
            Self::Block(block) => Some((unit, block)),
            Self::BlockIn(callee, block) => Some((callee, block)),
            Self::Probe(_)
            | Self::ProbeIn(..)
            | Self::Way(_)
            | Self::Path(_)
            | Self::BlockBy(..) => None,
        }
    }
}

/// A goal: what a test has to cover.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Goal {
    /// The event or the condition that covers the goal.
    pub reason: GoalReason,
    /// The source of the goal: a statement list, an operand, the value of an arm. If the source has
    /// no text for it (a missing `else`, the code after a loop), this is the empty span at the end
    /// of the statement.
    pub span: Span,
}

impl Goal {
    /// Returns the weakest criterion that asks for this goal, if calls are not distinguished.
    fn criterion(&self) -> Criterion {
        match self.reason {
            GoalReason::Branch {
                decision: Decision::Outcome,
                ..
            } => Criterion::Branch,
            GoalReason::Entry
            | GoalReason::Branch {
                decision: Decision::If | Decision::Loop | Decision::Operand,
                ..
            }
            | GoalReason::Case { .. }
            | GoalReason::Alternative { .. }
            | GoalReason::Failure { .. }
            | GoalReason::After { .. } => Criterion::Block,
            GoalReason::Boundary { .. } => Criterion::Boundary,
            GoalReason::Decides { .. } => Criterion::Mcdc,
            GoalReason::Clause { .. } => Criterion::Spec,
            GoalReason::Path => Criterion::Path,
            GoalReason::Broken { .. } => Criterion::Obligation,
            GoalReason::Differs => Criterion::Mutant,
        }
    }

    /// Returns the violated obligation, and the source of its clause if that is elsewhere; `None`
    /// for goals that are no violations.
    pub fn obligation(&self) -> Option<(ObligationKind, Option<Span>)> {
        if let GoalReason::Broken { obligation, clause } = self.reason {
            Some((obligation, clause))
        } else {
            None
        }
    }

    /// Whether the goal is a case of a match.
    pub fn is_case(&self) -> bool {
        matches!(self.reason, GoalReason::Case { .. })
    }

    /// Returns [`Goal::span`], extended by the pattern in front of it for a case of a match.
    pub fn source(&self) -> Span {
        match self.reason {
            GoalReason::Case { pattern } if pattern.end <= self.span.start => pattern.to(self.span),
            GoalReason::Case { .. }
            | GoalReason::Entry
            | GoalReason::Branch { .. }
            | GoalReason::Alternative { .. }
            | GoalReason::Failure { .. }
            | GoalReason::Boundary { .. }
            | GoalReason::Decides { .. }
            | GoalReason::Clause { .. }
            | GoalReason::Path
            | GoalReason::Broken { .. }
            | GoalReason::Differs
            | GoalReason::After { .. } => self.span,
        }
    }

    /// Returns the decided condition, pattern or guard, if the goal is the outcome of a decision.
    pub fn decided(&self) -> Option<Span> {
        match self.reason {
            GoalReason::Branch { cond, .. } => Some(cond),
            GoalReason::Case { pattern } => Some(pattern),
            GoalReason::Alternative { guard } => Some(guard),
            GoalReason::Failure { value, .. } => Some(value),
            GoalReason::Entry
            | GoalReason::Boundary { .. }
            | GoalReason::Decides { .. }
            | GoalReason::Clause { .. }
            | GoalReason::Path
            | GoalReason::Broken { .. }
            | GoalReason::Differs
            | GoalReason::After { .. } => None,
        }
    }
}

/// The event or the condition that covers a goal.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum GoalReason {
    /// Entering the body.
    Entry,
    /// A condition had a value: `if`, a loop guard, a short-circuit operand.
    Branch {
        /// The condition.
        cond: Span,
        /// The value of that condition.
        value: bool,
        /// The kind of decision.
        decision: Decision,
    },
    /// A case of a match.
    Case {
        /// The pattern.
        pattern: Span,
    },
    /// A case of `if { case … }`.
    Alternative {
        /// The guard.
        guard: Span,
    },
    /// The right-hand side of `x :- e` was a failure, or was not.
    Failure {
        /// The value.
        value: Span,
        /// Whether it was a failure.
        failed: bool,
    },
    /// The sides of a comparison are equal or differ by one.
    Boundary {
        /// The left side.
        left: Span,
        /// The right side.
        right: Span,
        /// The relation of the left side to the right side.
        relation: Relation,
    },
    /// A condition has this value, and the other value would have changed the outcome of its
    /// decision.
    Decides {
        /// The condition.
        cond: Span,
        /// The value of that condition.
        value: bool,
        /// The decision.
        decision: Span,
    },
    /// A part of a precondition or postcondition has a value.
    Clause {
        /// Whether the clause is a postcondition.
        post: bool,
        /// The part.
        part: Span,
        /// The value of that condition.
        value: bool,
    },
    /// A distinct path through the unit.
    Path,
    /// Execution continues after a statement.
    After {
        /// The statement.
        stmt: Span,
    },
    /// A mutant differs from the unit at the mutated place.
    Differs,
    /// An obligation of the program is violated at the span of the goal.
    Broken {
        /// The obligation.
        obligation: ObligationKind,
        /// The violated clause, if it is elsewhere: in the contract of a callee.
        clause: Option<Span>,
    },
}

/// The kinds of proof obligations of Dafny's verifier (reference manual, chapters 5 to 9). The
/// wording follows the verifier's errors in section 13.7.1 and the error catalogue.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum ObligationKind {
    /// An `assert`, a step of a `calc`, or the conclusion of a `forall` statement.
    Assertion,
    /// A loop invariant holds on entry to the loop.
    InvariantOnEntry,
    /// A loop invariant is maintained by an iteration.
    InvariantKept,
    /// A precondition of a callee.
    Precondition,
    /// A postcondition.
    Postcondition,
    /// The measure of recursive calls or of a loop decreases and is bounded below.
    Decreases,
    /// The lower bound of a `for` loop is at most the upper bound.
    LoopRange,
    /// Nothing outside the `modifies` frame is changed.
    Frame,
    /// Nothing outside the `reads` clause is read.
    Reads,
    /// A value is in its subset type or newtype, or a conversion succeeds.
    Type,
    /// A case of a match or alternative applies.
    Case,
    /// Places to which one statement assigns different values are different.
    Aliasing,
    /// A `:|` of a compiled expression has only one value.
    Uniqueness,
    /// An index or range lies within its sequence or array.
    Index,
    /// A map has the key.
    Key,
    /// A divisor is not zero.
    Divisor,
    /// A value was created by a constructor that has the accessed field.
    Constructor,
    /// A reference is not null.
    NonNull,
    /// A length, a shift amount or another operand is in the domain of its operator.
    Domain,
    /// A value for `:|` exists.
    Existence,
    /// A variable, field or result has been assigned.
    Assigned,
    /// A function value is applied within its precondition.
    Application,
    /// A location read, or a value passed, in an older state was allocated there.
    Allocated,
    /// A declaration ensures the postconditions of the declaration that it overrides.
    Override,
    /// A witness satisfies the constraint of its type.
    Witness,
    /// A type without a `witness` clause has a value that Dafny tries.
    Inhabited,
}

/// The kinds of two-way decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum Decision {
    /// `if`, in statements and expressions.
    If,
    /// A loop guard: true enters the body, false leaves the loop.
    Loop,
    /// A left operand of `&&`, `||`, `==>`, `<==`. The block is the evaluation of the other
    /// operand.
    Operand,
    /// An outcome without a block of its own.
    Outcome,
}

/// The relation of the left side of a comparison to the right side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub enum Relation {
    /// The sides are equal.
    Equal,
    /// The left side is one less.
    OneLess,
    /// The left side is one more.
    OneMore,
    /// The sides differ: collections of the same size, or values without an order.
    Different,
}

impl Program {
    /// Returns the goals of a unit that are known before the search, in order: blocks, probes and
    /// ways of its contract, then the goals of an entry's callees ([`Self::systems`]), then the
    /// goals of each inlined call ([`Self::inlined`]). Empty if the unit was not lowered.
    pub fn goals(&self, unit: CallableId) -> Vec<(GoalId, &Goal)> {
        let Some(procedure) = self.procedures.get(&unit) else {
            return Vec::new();
        };
        let ways = self.contracts.get(&unit).map_or(&[][..], |c| &c.ways);
        let blocks = procedure
            .goal_blocks()
            .filter(|_| self.criteria.has_blocks())
            .map(|(b, g)| (GoalId::Block(b), g));
        let probes = (0..)
            .zip(&procedure.probes)
            .map(|(i, g)| (GoalId::Probe(i), g));
        let own = blocks
            .chain(probes)
            .chain((0..).zip(ways).map(|(i, w)| (GoalId::Way(i), &w.goal)));
        own.chain(self.goals_of_callees(unit))
            .chain(self.goals_by_calls(unit))
            .collect()
    }

    /// Returns the weakest criterion that asks for a goal of a unit.
    pub fn criterion(&self, unit: CallableId, id: GoalId) -> Option<Criterion> {
        match id {
            GoalId::BlockBy(..) => Some(Criterion::InlinedBlock),
            GoalId::Block(_)
            | GoalId::Probe(_)
            | GoalId::Way(_)
            | GoalId::Path(_)
            | GoalId::BlockIn(..)
            | GoalId::ProbeIn(..) => self.goal(unit, id).map(Goal::criterion),
        }
    }

    /// Returns the goals of the search: the counted goals and, if they are not counted, the blocks
    /// that paths go through.
    pub fn sought(&self, unit: CallableId) -> Vec<GoalId> {
        let counted = self.goals(unit).into_iter().map(|(g, _)| g);
        let is_added = self.criteria.seeks_blocks() && !self.criteria.has_blocks();
        let blocks = self
            .procedures
            .get(&unit)
            .filter(|_| is_added)
            .into_iter()
            .flat_map(|p| p.goal_blocks());
        counted
            .chain(blocks.map(|(b, _)| GoalId::Block(b)))
            .collect()
    }

    /// Returns the goal with this id.
    pub fn goal(&self, unit: CallableId, id: GoalId) -> Option<&Goal> {
        let procedure: &Procedure = self.procedures.get(&unit)?;
        match id {
            GoalId::Block(b) => procedure.block(b)?.goal.as_ref(),
            GoalId::Probe(i) => procedure.probes.get(i as usize),
            GoalId::Way(i) => Some(&self.contracts.get(&unit)?.ways.get(i as usize)?.goal),
            GoalId::Path(_) => Some(&PATH),
            GoalId::BlockIn(callee, b) | GoalId::BlockBy(_, callee, b) => {
                self.procedures.get(&callee)?.block(b)?.goal.as_ref()
            }
            GoalId::ProbeIn(callee, i) => self.procedures.get(&callee)?.probes.get(i as usize),
        }
    }
}

/// The shared description of all path goals.
static PATH: Goal = Goal {
    reason: GoalReason::Path,
    span: Span { start: 0, end: 0 },
};
