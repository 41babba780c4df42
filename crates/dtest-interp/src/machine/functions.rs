//! Operators on values that contain functions. Different functions are not known to differ.

use super::{Machine, Step, bug};
use crate::word::Word;
use dtest_ir::Op;
use dtest_ir::reason::Equality;
use dtest_value::Value;

impl Machine<'_, '_, '_> {
    /// Evaluates `==` and `!=` of values that may contain functions.
    pub(super) fn same_functions(&mut self, negate: bool) -> Step<()> {
        let [.., a, b] = self.stack.as_slice() else {
            return Err(bug());
        };
        // Two different functions may still be equal.
        let may_be_same = match (a, b) {
            (
                Word::Bool(_)
                | Word::Int(_)
                | Word::Char(_)
                | Word::Ref(_)
                | Word::Null
                | Word::Unknown(_),
                _,
            ) => false,
            (_, _) => matches!(
                (a.clone().value(), b.clone().value()),
                (Some(a), Some(b)) if a.may_equal(&b)
            ),
        };
        self.binary(&Op::Eq)?;
        // The comparison is unknown if only the functions differ.
        let top = self.top()?;
        if may_be_same {
            *top = Word::unknown(Equality::Functions);
        } else if let Word::Bool(same) = top {
            *same ^= negate;
        }
        Ok(())
    }

    /// Evaluates an operator that compares elements or keys. Its result is unknown if it depends on
    /// functions whose equality is undecided.
    pub(super) fn op_on_functions(&mut self, op: &Op, argc: u32, ty: u32) -> Step<()> {
        let ty = self.concrete(ty)?;
        if !self.interp.program.typed.may_hold_functions(&ty) {
            return self.operator(op, argc);
        }
        // In reverse order: the last operand first.
        let operands: Vec<Value> = self
            .stack
            .iter()
            .rev()
            .take(argc as usize)
            .filter_map(|word| word.clone().value())
            .collect();
        // An element found by identity is present, and a part found by identity is a part.
        let is_sure = |word: &Word| {
            matches!(
                (op, word),
                (Op::In(_) | Op::SubsetEq(_), Word::Bool(true))
                    | (Op::Disjoint(_), Word::Bool(false))
            )
        };
        let is_lookup = matches!(op, Op::Select(_));
        let combines = matches!(
            op,
            Op::In(_)
                | Op::Intersect(_)
                | Op::Difference(_)
                | Op::Disjoint(_)
                | Op::SubsetEq(_)
                | Op::Subset(_)
                | Op::Select(_)
        );
        let (values, collections) = match (op, operands.as_slice()) {
            (Op::In(_), [collection, value]) | (Op::Select(_), [value, collection]) => (
                std::slice::from_ref(value),
                std::slice::from_ref(collection),
            ),
            (_, all) => (&[][..], all),
        };
        let is_open = combines && Value::may_coincide(values, collections);
        if is_open && is_lookup {
            self.pop_many(argc)?;
            self.stack.push(Word::unknown(Equality::Functions));
            return Ok(());
        }
        self.operator(op, argc)?;
        if is_open && !is_sure(self.top()?) {
            *self.top()? = Word::unknown(Equality::Functions);
        }
        self.settle()
    }

    /// Makes a collection unknown if the equality of its elements or keys is undecided.
    pub(super) fn settle(&mut self) -> Step<()> {
        let is_open = match self.top()? {
            word @ (Word::Set(_) | Word::Multiset(_) | Word::Map(_)) => {
                word.clone().value().is_some_and(|v| v.may_repeat())
            }
            Word::Unset
            | Word::Unknown(_)
            | Word::Bool(_)
            | Word::Char(_)
            | Word::Int(_)
            | Word::Seq(_) => false,
            Word::Tuple(_)
            | Word::Datatype(_)
            | Word::Null
            | Word::Ref(_)
            | Word::Function(_)
            | Word::Boxed(_) => false,
        };
        if is_open {
            *self.top()? = Word::unknown(Equality::Functions);
        }
        Ok(())
    }
}
