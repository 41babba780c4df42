//! Goals: what a test is asked to show, and by which criteria goals are chosen.

use std::fmt;

use super::{BlockId, CallId, Procedure, Program};
use dafny_resolve::typed::CallableId;
use dafny_syntax::source::Span;
use dtest_sorted::SortedSet;

/// A coverage criterion.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Criterion {
    /// Every block: arms of `if` and `match`, bodies of loops and what follows them, operands that may be left out.
    Block,
    /// Every outcome of every condition; more than `Block` where two outcomes lead to one block.
    Branch,
    /// Every block, and those of what the unit calls once for each call by way of which the unit comes there (Fedchin et al. 2023:
    /// *InlinedBlock*).
    InlinedBlock,
    /// Every feasible path within the bounds, through what the unit calls too (Christ, Hoenicke, Schäf 2012, section 5: AlgPC).
    Path,
    /// For every comparison of executed code: both sides equal, and one off to either side.
    Boundary,
    /// Every condition shown to decide its decision alone, both ways (masking MC/DC with short-circuit evaluation).
    Mcdc,
    /// Every way in which a pre- or postcondition can hold.
    Spec,
    /// That execution goes on after every statement that it may not get past, with blocks: for the search for dead code.
    #[serde(skip)]
    Flow,
    /// That an obligation of the program is broken, for each of them: for the search for violations.
    #[serde(skip)]
    Obligation,
    /// That mutants differ from the unit where they are changed: for tests that notice them.
    #[serde(skip)]
    Mutant,
}

impl Criterion {
    /// Those that a user can ask for, with their names.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Block, "block"),
        (Self::Branch, "branch"),
        (Self::InlinedBlock, "inlined-block"),
        (Self::Path, "path"),
        (Self::Boundary, "boundary"),
        (Self::Mcdc, "mcdc"),
        (Self::Spec, "spec"),
    ];

    /// The one with this name.
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

/// One or several criteria: the goals are those of all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Criteria(SortedSet<Criterion>);

impl Criteria {
    /// The given ones.
    ///
    /// # Errors
    /// A message where there is none.
    pub fn new(criteria: impl IntoIterator<Item = Criterion>) -> Result<Self, String> {
        let set: SortedSet<Criterion> = criteria.into_iter().collect();
        if set.is_empty() {
            Err("at least one coverage criterion is required".into())
        } else {
            Ok(Self(set))
        }
    }

    /// Obligations alone.
    pub fn obligations() -> Self {
        Self(SortedSet::from([Criterion::Obligation]))
    }

    /// Differences of mutants alone.
    pub(crate) fn mutants() -> Self {
        Self(SortedSet::from([Criterion::Mutant]))
    }

    /// Whether goals of this criterion are asked for.
    pub fn has(&self, criterion: Criterion) -> bool {
        self.0.contains(&criterion)
    }

    /// Whether every block of a unit is a goal: also where every branch is, or blocks are counted for each call.
    pub fn has_blocks(&self) -> bool {
        self.has_blocks_once() || self.has(Criterion::InlinedBlock)
    }

    /// Whether every block is a goal however control comes there: of an entry, also those of what it calls.
    pub fn has_blocks_once(&self) -> bool {
        self.has(Criterion::Block) || self.has(Criterion::Branch) || self.has(Criterion::Flow)
    }

    /// Whether calls are followed: what a callee does by way of one call is told from what it does by way of another.
    pub fn tells_calls_apart(&self) -> bool {
        self.has(Criterion::InlinedBlock) || self.has(Criterion::Path)
    }

    /// Whether blocks are looked for: where paths are goals too, which are followed within the bounds at which all blocks are reached.
    pub fn seeks_blocks(&self) -> bool {
        self.has_blocks() || self.has(Criterion::Path)
    }

    /// Whether it is [`Criterion::Block`] alone, which is the default.
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

/// Which goal of a unit.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum GoalId {
    /// That a block is entered.
    Block(BlockId),
    /// A probe, by its number in [`Procedure::probes`].
    Probe(u32),
    /// A way in which the contract holds, by its number in [`super::Contract::ways`].
    Way(u32),
    /// A path, by the order in which paths were found: these goals are not known before the search.
    Path(u32),
    /// That a block of something that the entry calls is entered.
    BlockIn(CallableId, BlockId),
    /// A probe of something that the entry calls.
    ProbeIn(CallableId, u32),
    /// That a block of something that the unit calls is entered by way of that call.
    BlockBy(CallId, CallableId, BlockId),
}

impl GoalId {
    /// The block that is to be entered, where that is the goal, by whatever call, and whose it is.
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

/// A goal: what a test is to show.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Goal {
    /// Why control is there, or what holds there.
    pub reason: GoalReason,
    /// The source of the block itself: the statement list, the operand, the arm's value. Where the source has
    /// no text for it (a missing `else`, what follows a loop), the empty span at the end of the statement.
    pub span: Span,
}

impl Goal {
    /// The criterion that asks for it where it is told from no other by how control comes there; of two that do, the weaker one.
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

    /// The obligation that is broken, and the place of its clause where that is another, where that is the goal.
    pub fn obligation(&self) -> Option<(ObligationKind, Option<Span>)> {
        if let GoalReason::Broken { obligation, clause } = self.reason {
            Some((obligation, clause))
        } else {
            None
        }
    }

    /// Whether it is a case of a match.
    pub fn is_case(&self) -> bool {
        matches!(self.reason, GoalReason::Case { .. })
    }

    /// The source that it stands for: [`Goal::span`], with the pattern before it where it is a case of a match.
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

    /// What was decided, where it is an outcome of a decision: a branch.
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

/// Why control is in a block, or what a probe asks for.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum GoalReason {
    /// The body is entered.
    Entry,
    /// A condition had a value: `if`, loop guards, short-circuit operands.
    Branch {
        /// The condition.
        cond: Span,
        /// Its value.
        value: bool,
        /// What kind of decision it is.
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
    /// `x :- e`: the value was a failure, or was not.
    Failure {
        /// The value.
        value: Span,
        /// Whether it failed.
        failed: bool,
    },
    /// The sides of a comparison are this close.
    Boundary {
        /// The left side.
        left: Span,
        /// The right side.
        right: Span,
        /// How they are to each other.
        relation: Relation,
    },
    /// A condition has a value, and with the other one its decision would have had the other outcome.
    Decides {
        /// The condition.
        cond: Span,
        /// Its value.
        value: bool,
        /// The decision.
        decision: Span,
    },
    /// A part of a pre- or postcondition has a value.
    Clause {
        /// Whether it is a postcondition.
        post: bool,
        /// The part.
        part: Span,
        /// Its value.
        value: bool,
    },
    /// A path of its own through the unit.
    Path,
    /// Execution goes on after a statement.
    After {
        /// The statement.
        stmt: Span,
    },
    /// A mutant differs from the unit where it is changed.
    Differs,
    /// An obligation of the program does not hold, where the goal stands.
    Broken {
        /// The obligation.
        obligation: ObligationKind,
        /// The clause that says so, where it stands elsewhere: of a callee's contract.
        clause: Option<Span>,
    },
}

/// What a program obligations: what Dafny's verifier is to prove of it (reference manual, chapters 5 to 9; the wording of its errors is
/// that of section 13.7.1 and the error catalogue).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum ObligationKind {
    /// An `assert`, a step of a `calc`, the claim of a `forall` statement.
    Assertion,
    /// A loop invariant holds when the loop is come to.
    InvariantOnEntry,
    /// A loop invariant holds again after an iteration.
    InvariantKept,
    /// A precondition of a callee.
    Precondition,
    /// A postcondition.
    Postcondition,
    /// The measure of recursive calls gets smaller, and is bounded below.
    Decreases,
    /// The lower bound of a `for` loop is not above the upper one.
    LoopRange,
    /// Nothing is changed outside of the frame.
    Frame,
    /// Nothing is read outside of the `reads` clause.
    Reads,
    /// A value is in its subset type or newtype, a conversion succeeds.
    Type,
    /// A case of a match or alternative applies.
    Case,
    /// Places that one statement assigns different values are different.
    Aliasing,
    /// An index or range lies within its sequence or array.
    Index,
    /// A map has the key.
    Key,
    /// A divisor is not zero.
    Divisor,
    /// A value was made by a constructor that has the field.
    Constructor,
    /// A reference is not null.
    NonNull,
    /// A length, a shift amount or another operand is in its operator's domain.
    Domain,
    /// `:|` has a value.
    Existence,
    /// A variable, field or result was assigned.
    Assigned,
    /// A function value is applied within its precondition.
    Application,
    /// What is read or passed in an older state was allocated there.
    Allocated,
    /// A declaration ensures what one that it overrides does.
    Override,
    /// A witness is a value of its type.
    Witness,
}

/// The kinds of two-way decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum Decision {
    /// `if`, in statements and expressions.
    If,
    /// A loop's guard: true is the body, false what follows.
    Loop,
    /// A left operand of `&&`, `||`, `==>`, `<==`: the block is the evaluation of the other operand.
    Operand,
    /// An outcome that has no block of its own.
    Outcome,
}

/// How the sides of a comparison are to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub enum Relation {
    /// The same.
    Equal,
    /// The left one is one less.
    OneLess,
    /// The left one is one more.
    OneMore,
    /// Collections of the same size, or values without an order, that differ.
    Different,
}

impl Program {
    /// The goals of a unit that are known before the search, in order: blocks, probes, ways of its contract; those of what an
    /// entry calls ([`Self::systems`]); those for each call ([`Self::inlined`]). None for what was not lowered.
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

    /// The criterion that asks for one of the goals of a unit; of two that do, the weaker one.
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

    /// What is looked for in a unit: its goals and, where they are not among these, the blocks that its paths go through.
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

    /// One of the goals of a unit.
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

/// What stands for every path.
static PATH: Goal = Goal {
    reason: GoalReason::Path,
    span: Span { start: 0, end: 0 },
};
