//! The comparisons of an execution with their operands: the conditions on which its way depends.
//!
//! A search that wants another way changes a value of the inputs to what it was compared with, as
//! fuzzers do with the operands that they see (input-to-state correspondence: Aschermann, Schumilo,
//! Blazytko, Gawlik and Holz, *REDQUEEN*, 2019). Here the operands are whole values: a sequence and
//! its required prefix, a key and the map that lacks it, a result and the constructor asked for.
//!
//! [`Interp::note_comparisons`] starts and stops the notes; [`Interp::take_comparisons`] returns
//! them. The comparisons of clauses are noted, those of compiled code, and those of the contracts that
//! results of external code are validated against. Where inputs are not admitted, [`Obstacle`] has the
//! comparisons that the violated clause ended with.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::Interp;
use super::word::Word;
use dafny_resolve::typed::CtorId;
use dafny_source::Span;
use dtest_ir::Op;
use dtest_value::Value;

/// Maximum number of noted comparisons, of which the first and the last `KEPT_AT_END` are returned:
/// where an execution ends is seldom decided in the middle.
const MAX_NOTED: usize = 8 * KEPT_AT_END;
const KEPT_AT_END: usize = 200;
/// Maximum number of noted comparisons at one place: the first ones, and the last.
const MAX_AT_PLACE: usize = 6;
/// Number of comparisons before the end of a violated clause that are its obstacle.
const MAX_LATEST: usize = 3;
/// Maximum size of a noted operand.
const MAX_EXTENT: u64 = 4_000;

/// The relation that a comparison decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The operands are equal.
    Equal,
    /// The left operand is less.
    Less,
    /// The left operand is less or equal.
    AtMost,
    /// The left operand is an element or key of the right one.
    Member,
    /// The left operand is a subset or a prefix of the right one.
    Included,
    /// The left operand was created by this constructor. The right operand is the same value.
    Constructor(CtorId),
}

/// A comparison of an execution.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Comparison {
    /// The place in the source, as a number that also depends on the place of the call that
    /// executed it.
    pub place: u64,
    /// The relation.
    pub relation: Relation,
    /// The left operand.
    pub left: Value,
    /// The right operand.
    pub right: Value,
    /// Whether the relation holds.
    pub holds: bool,
}

/// The end of the first violated clause of a check. A conjunction or a quantifier stops at the first
/// part that does not hold, so that the last comparison is mostly the one in the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Obstacle {
    /// The last comparisons of the clause, the very last one at the end.
    pub comparisons: Vec<Comparison>,
    /// Number of different comparisons that the clause executed: how far its evaluation came.
    pub places: usize,
    /// Number of comparisons that the clause executed. A loop that has more iterations has more of
    /// them, whether it comes further or not.
    pub count: usize,
}

/// The code whose comparisons a machine notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotedCode {
    /// All code: a clause is evaluated.
    All,
    /// Compiled code without its specifications.
    Compiled,
}

/// The comparisons since the last time they were taken.
#[derive(Debug, Default)]
pub(super) struct Notes {
    all: Vec<Comparison>,
    /// The positions in `all` by place and truth.
    at_place: FxHashMap<(u64, bool), Vec<usize>>,
    /// The comparisons since the start of the clause.
    clause: ClauseNotes,
}

/// The comparisons of one clause.
#[derive(Debug, Default)]
struct ClauseNotes {
    /// The comparisons that were executed last.
    latest: VecDeque<Comparison>,
    places: FxHashSet<(u64, bool)>,
    /// Number of executed comparisons.
    count: usize,
}

impl ClauseNotes {
    fn add(&mut self, comparison: &Comparison) {
        self.count += 1;
        self.places.insert((comparison.place, comparison.holds));
        if self.latest.len() >= MAX_LATEST {
            self.latest.pop_front();
        }
        self.latest.push_back(comparison.clone());
    }
}

impl Notes {
    fn add(&mut self, comparison: Comparison) {
        self.clause.add(&comparison);
        let known = self
            .at_place
            .entry((comparison.place, comparison.holds))
            .or_default();
        let is_same = |at: &usize| self.all.get(*at) == Some(&comparison);
        if known.iter().any(is_same) {
            return;
        }
        if known.len() < MAX_AT_PLACE && self.all.len() < MAX_NOTED {
            known.push(self.all.len());
            self.all.push(comparison);
        } else if let Some(slot) = known.last().and_then(|at| self.all.get_mut(*at)) {
            // Of a loop, the last comparison says where it ended.
            *slot = comparison;
        }
    }

    /// The first and the last comparisons. The types of large inputs compare more than everything
    /// else, and they come first.
    fn kept(mut self) -> Vec<Comparison> {
        let end = self.all.len().saturating_sub(KEPT_AT_END);
        self.all.drain(KEPT_AT_END.min(end)..end);
        self.all
    }
}

/// The relation that an operator decides, and whether its result is that of the relation.
pub(super) fn relation_of(op: &Op) -> Option<(Relation, bool)> {
    Some(match op {
        Op::Eq => (Relation::Equal, true),
        Op::Ne => (Relation::Equal, false),
        Op::Lt(_) => (Relation::Less, true),
        Op::Le(_) => (Relation::AtMost, true),
        Op::In(_) => (Relation::Member, true),
        Op::Subset(_) | Op::SubsetEq(_) => (Relation::Included, true),
        Op::CtorTest(ctor) => (Relation::Constructor(*ctor), true),
        Op::Not
        | Op::Neg(_)
        | Op::Add(_)
        | Op::Sub(_)
        | Op::Mul(_)
        | Op::Div(_)
        | Op::Mod(_)
        | Op::BitAnd
        | Op::BitOr
        | Op::BitXor
        | Op::BitNot
        | Op::Shl
        | Op::Shr
        | Op::RotateLeft
        | Op::RotateRight
        | Op::Floor
        | Op::OrdinalIsLimit
        | Op::OrdinalIsSucc
        | Op::OrdinalOffset
        | Op::OrdinalIsNat
        | Op::Display(_)
        | Op::Cardinality(_)
        | Op::Union(_)
        | Op::Intersect(_)
        | Op::Difference(_)
        | Op::Disjoint(_)
        | Op::Select(_)
        | Op::Update(_)
        | Op::Slice
        | Op::ArraySlice
        | Op::ArrayLength(_)
        | Op::SeqInit
        | Op::MultisetOf(_)
        | Op::Keys
        | Op::Values
        | Op::Items
        | Op::Tuple
        | Op::TupleField(_)
        | Op::Construct(_)
        | Op::Destruct(_)
        | Op::PrefixEq
        | Op::Below
        | Op::FunctionRequires
        | Op::FunctionReads => return None,
    })
}

impl Interp<'_> {
    /// Starts or stops noting comparisons.
    pub fn note_comparisons(&self, on: bool) {
        self.comparisons.replace(on.then(Notes::default));
    }

    /// Runs `check` and returns the comparisons that it executes. They are not noted for the caller
    /// of [`Self::take_comparisons`].
    pub fn with_comparisons<R>(&self, check: impl FnOnce() -> R) -> (R, Vec<Comparison>) {
        let outer = self.comparisons.replace(Some(Notes::default()));
        let result = check();
        let own = self.comparisons.replace(outer);
        (result, own.unwrap_or_default().kept())
    }

    /// Returns the comparisons since the last time, in order: the first ones and the last ones if
    /// there are many. Of those at one place with the same result, the first few and the last one.
    pub fn take_comparisons(&self) -> Vec<Comparison> {
        let mut notes = self.comparisons.borrow_mut();
        let taken = notes.as_mut().map(std::mem::take);
        taken.unwrap_or_default().kept()
    }

    /// Starts the notes of a clause.
    pub(super) fn begin_clause(&self) {
        if let Some(notes) = self.comparisons.borrow_mut().as_mut() {
            notes.clause = ClauseNotes::default();
        }
    }

    /// The end of the clause, if comparisons are noted.
    pub(super) fn obstacle(&self) -> Option<Obstacle> {
        let notes = self.comparisons.borrow();
        let clause = &notes.as_ref()?.clause;
        Some(Obstacle {
            comparisons: clause.latest.iter().cloned().collect(),
            places: clause.places.len(),
            count: clause.count,
        })
    }

    /// Whether comparisons are noted. Those of mutants are not.
    pub(super) fn notes_comparisons(&self) -> bool {
        self.comparisons.borrow().is_some() && self.variant.borrow().is_none()
    }

    /// Notes a comparison at the places of its operator and of the call that led to it.
    #[cold]
    pub(super) fn note_comparison(
        &self,
        places: [Option<Span>; 2],
        (relation, holds): (Relation, bool),
        left: Word,
        right: Option<Word>,
    ) {
        let mut notes = self.comparisons.borrow_mut();
        let (Some(notes), Some(left)) = (notes.as_mut(), left.value()) else {
            return;
        };
        let right = match right {
            Some(right) => right.value(),
            None => Some(left.clone()),
        };
        let is_small = |v: &Value| v.extent() <= MAX_EXTENT;
        let Some(right) = right.filter(|right| is_small(right) && is_small(&left)) else {
            return;
        };
        let mut hasher = FxHasher::default();
        places.hash(&mut hasher);
        notes.add(Comparison {
            place: hasher.finish(),
            relation,
            left,
            right,
            holds,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{Comparison, KEPT_AT_END, MAX_NOTED, Notes, Relation};
    use dtest_value::Value;

    /// The places of the comparisons that remain of so many at different places.
    fn kept(count: usize) -> Vec<u64> {
        let mut notes = Notes::default();
        for place in 0..count as u64 {
            notes.add(Comparison {
                place,
                relation: Relation::Equal,
                left: Value::int(0),
                right: Value::int(1),
                holds: false,
            });
        }
        notes.kept().iter().map(|c| c.place).collect()
    }

    #[test]
    fn few_comparisons_remain_in_order() {
        for count in [0, 1, KEPT_AT_END, KEPT_AT_END + 1, 2 * KEPT_AT_END] {
            assert_eq!(kept(count), (0..count as u64).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_first_and_the_last_of_many_comparisons_remain() {
        for count in [2 * KEPT_AT_END + 1, MAX_NOTED] {
            let kept = kept(count);
            let (first, last) = kept.split_at(KEPT_AT_END);
            let count = count as u64;
            let from = count - KEPT_AT_END as u64;
            assert_eq!(first, (0..KEPT_AT_END as u64).collect::<Vec<_>>());
            assert_eq!(last, (from..count).collect::<Vec<_>>());
        }
    }
}
