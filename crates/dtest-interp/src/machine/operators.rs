//! Operators, and what they cost.

use std::sync::Arc;

use super::{Machine, Step, bug};
use crate::comparisons::{Relation, relation_of};
use crate::ops::{self, OpError};
use crate::word::Word;
use dtest_ir::{Coll, Op};

impl Machine<'_, '_, '_> {
    pub(super) fn binary(&mut self, op: &Op) -> Step<()> {
        self.operator(op, 2)
    }

    pub(super) fn operator(&mut self, op: &Op, argc: u32) -> Step<()> {
        let at = self
            .stack
            .len()
            .checked_sub(argc as usize)
            .ok_or_else(bug)?;
        // A buffer is reused, because operators are frequent.
        let mut args = std::mem::take(&mut self.scratch);
        args.clear();
        args.extend(self.stack.drain(at..));
        // Operators are strict: an unknown operand makes the result unknown.
        let result = if let Some(unknown) = args.iter().find(|w| matches!(w, Word::Unknown(_))) {
            Ok(unknown.clone())
        } else {
            if matches!(op, Op::ArraySlice) {
                self.array_slice(&args)
            } else if let Op::ArrayLength(d) = op {
                self.array_length(&args, *d)
            } else {
                // The cost of an operator depends on the sizes of its operands.
                let cost = cost(op, &args);
                self.charge(cost)?;
                let compared = self.compared(op, &args);
                let result = ops::apply(self.op_context(), op, &mut args);
                if let (Some((relation, left, right)), Ok(Word::Bool(holds))) = (compared, &result)
                {
                    self.note_compared(relation, *holds, (left, right));
                }
                match result {
                    Err(OpError::Open(reason)) => Ok(Word::unknown(reason)),
                    result => result.or_else(|e| self.op_error(e)),
                }
            }
        };
        args.clear();
        self.scratch = args;
        self.stack.push(result?);
        Ok(())
    }

    /// Returns the operands of a comparison that is to be noted.
    fn compared(&self, op: &Op, args: &[Word]) -> Option<((Relation, bool), Word, Option<Word>)> {
        self.noted?;
        let code = &self.frames.last()?.code;
        let relation = relation_of(op).filter(|_| self.notes(code))?;
        Some((relation, args.first()?.clone(), args.get(1).cloned()))
    }

    /// Notes a comparison. The truth of an operator may be the opposite of that of the relation.
    fn note_compared(
        &self,
        (relation, is_positive): (Relation, bool),
        holds: bool,
        (left, right): (Word, Option<Word>),
    ) {
        let places = [Some(self.span()), self.span_of_caller()];
        let known = (relation, holds == is_positive);
        self.interp.note_comparison(places, known, left, right);
    }
}

/// Returns the cost of an operator on collections: copies of shared collections, and traversals.
fn cost(op: &Op, args: &[Word]) -> usize {
    // A collection that is shared must be copied before it is changed.
    let size = |word: &Word| match word {
        Word::Seq(s) | Word::Tuple(s) => (s.len() / 2, Arc::strong_count(s)),
        Word::Set(s) => (s.len(), Arc::strong_count(s)),
        Word::Multiset(s) => (s.len(), Arc::strong_count(s)),
        Word::Map(s) => (s.len(), Arc::strong_count(s)),
        Word::Unset | Word::Unknown(_) | Word::Bool(_) | Word::Char(_) | Word::Int(_) => (0, 0),
        Word::Datatype(_) | Word::Null | Word::Ref(_) | Word::Function(_) | Word::Boxed(_) => {
            (0, 0)
        }
    };
    let copies = || {
        args.iter()
            .map(|w| if size(w).1 > 1 { size(w).0 } else { 0 })
            .sum()
    };
    match op {
        Op::Union(Coll::Seq) => match args {
            // Moving elements is cheaper than copying them.
            [Word::Seq(a), Word::Seq(b)] if !a.is_empty() && !b.is_empty() => {
                copies() + a.len().min(b.len()) / 8 + b.len() / 64
            }
            _one_of_them => 0,
        },
        Op::Union(_)
        | Op::Intersect(_)
        | Op::Difference(_)
        | Op::Update(_)
        | Op::MultisetOf(_)
        | Op::Keys
        | Op::Values
        | Op::Items => copies(),
        Op::Slice => match args {
            [_, low, high] => {
                high.as_index()
                    .unwrap_or(0)
                    .saturating_sub(low.as_index().unwrap_or(0))
                    / 2
            }
            _ill_formed => 0,
        },
        Op::Subset(_) | Op::SubsetEq(_) | Op::Disjoint(_) => {
            args.first().map_or(0, |w| size(w).0 / 4)
        }
        Op::In(Coll::Seq) => args.last().map_or(0, |w| size(w).0 / 4),
        Op::Eq | Op::Ne => args.first().map_or(0, |w| size(w).0 / 16),
        Op::Not
        | Op::Neg(_)
        | Op::Add(_)
        | Op::Sub(_)
        | Op::Mul(_)
        | Op::Div(_)
        | Op::Mod(_)
        | Op::Lt(_)
        | Op::Le(_)
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
        | Op::In(_)
        | Op::Select(_)
        | Op::ArraySlice
        | Op::ArrayLength(_)
        | Op::SeqInit
        | Op::Tuple
        | Op::TupleField(_)
        | Op::Construct(_)
        | Op::CtorTest(_)
        | Op::Destruct(_)
        | Op::PrefixEq
        | Op::Below
        | Op::FunctionRequires
        | Op::FunctionReads => 0,
    }
}
