//! Type tests of words: the shape is tested at once, the constraints in it by one call after the
//! other.

use dafny_resolve::typed::{Type, TypeId};
use dtest_desugar::casts::changes_newtype;
use num_bigint::BigInt;

use super::{Iter, Machine, Step, Takes, bug};
use crate::api::FailureKind;
use crate::code::{Code, CodeKey, Ins};
use crate::newtypes::retyped;
use crate::ops;
use crate::types;
use crate::word::{Condition, Word};
use dtest_ir::reason::NoValue;
use dtest_value::Value;

/// The number of values whose shape is tested at the cost of one step.
const EXAMINED_PER_STEP: usize = 16;

impl Machine<'_, '_, '_> {
    /// Executes conversions and type checks.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "`step`, which names every instruction, hands on none but these"
    )]
    pub(super) fn typing(&mut self, ins: Ins, code: &Code) -> Step<()> {
        match ins {
            // Unknown values satisfy every check; the result stays unknown.
            Ins::CheckRange(r) => {
                let range = code.ranges.get(r as usize).ok_or_else(bug)?;
                match range.contains(self.top()?) {
                    Some(true) => {}
                    Some(false) => self.outside(&range.ty)?,
                    None if matches!(self.top()?, Word::Unknown(_)) => {}
                    None => return Err(bug()),
                }
            }
            Ins::TestRange(r) => {
                let range = code.ranges.get(r as usize).ok_or_else(bug)?;
                let top = self.top()?;
                match (range.contains(top), &top) {
                    (Some(b), _) => *top = Word::Bool(b),
                    (None, Word::Unknown(_)) => {}
                    (None, _) => *top = Word::Bool(false),
                }
            }
            Ins::Convert(ty) => {
                if !matches!(self.top()?, Word::Unknown(_)) {
                    let ty = self.concrete(ty)?;
                    let word = self.pop()?;
                    match ops::convert(self.op_context(), word, &ty) {
                        Ok(word) => self.stack.push(word),
                        Err(e) => return self.op_error(e),
                    }
                }
            }
            Ins::Retype { from, to } => {
                if !matches!(self.top()?, Word::Unknown(_)) {
                    // The representation changes only if one side is a trait and the other a
                    // newtype.
                    let (from, to) = (self.concrete(from)?, self.concrete(to)?);
                    let program = &self.interp.program.typed;
                    if changes_newtype(program, &from, &to) {
                        let value = self.pop()?.value().ok_or_else(bug)?;
                        self.charge(usize::try_from(value.extent()).unwrap_or(usize::MAX))?;
                        let word = retyped(program, &value, &from, &to)
                            .map_or_else(|| Word::unknown(NoValue::Retyped), Word::of);
                        self.stack.push(word);
                    }
                }
            }
            // A failed conversion decides the test, so the remaining checks are skipped.
            Ins::TestConvert { ty, end } => {
                if !matches!(self.top()?, Word::Unknown(_)) {
                    let ty = self.concrete(ty)?;
                    let word = self.pop()?;
                    match ops::convert(self.op_context(), word, &ty) {
                        Ok(word) => self.stack.push(word),
                        Err(_) => {
                            self.stack.push(Word::Bool(false));
                            self.jump(end)?;
                        }
                    }
                }
            }
            Ins::CheckType(ty) => match self.pop_condition()? {
                Condition::True => {}
                Condition::False => {
                    let ty = self.concrete(ty)?;
                    self.outside(&ty)?;
                }
                Condition::Unknown(reason) => self.undecided(code, &reason),
            },
            _others => return Err(bug()),
        }
        Ok(())
    }

    /// Handles a value that is not in its required type. A mutant is compiled code, which only
    /// checks the range of native numbers.
    fn outside(&mut self, ty: &Type) -> Step<()> {
        let program = &self.interp.program.typed;
        let (shown, name) = (self.top()?.show(), program.show_type(ty));
        let message = format!("{shown} is not a value of `{name}`");
        // Compiled code also checks conversions from traits.
        let is_of = |own: TypeId| matches!(program.strip_subset(ty), Type::Named { decl, .. } if decl == own || program.is_trait(decl));
        let is_other = match self.top()? {
            Word::Boxed(v) => matches!(&**v, Value::Newtype(n) if !is_of(n.decl)),
            Word::Datatype(d) => !is_of(program[d.ctor].datatype),
            Word::Unset
            | Word::Unknown(_)
            | Word::Bool(_)
            | Word::Char(_)
            | Word::Int(_)
            | Word::Seq(_)
            | Word::Set(_)
            | Word::Multiset(_)
            | Word::Map(_)
            | Word::Tuple(_)
            | Word::Null
            | Word::Ref(_)
            | Word::Function(_) => false,
        };
        if self.interp.runs_variant() && is_other {
            return self.fail(FailureKind::Domain, message);
        }
        if !self.interp.runs_variant()
            || matches!(self.top()?, Word::Ref(_) | Word::Null | Word::Function(_))
        {
            return self.broken(FailureKind::TypeConstraint, message);
        }
        let fits = |(low, high): &(BigInt, BigInt), n: &BigInt| low <= n && n <= high;
        match (program.native_range(ty), self.top()?.as_int()) {
            (Some(range), Some(n)) if !fits(&range, &n) => self.fail(FailureKind::Domain, message),
            (Some(_) | None, _) => Ok(()),
        }
    }

    pub(super) fn type_start(&mut self, ty: u32, end: u32) -> Step<()> {
        let ty = self.concrete(ty)?;
        let word = self.pop()?;
        let value = if matches!(word, Word::Unknown(_)) {
            self.stack.push(word);
            return self.jump(end);
        } else {
            word.value().ok_or_else(bug)?
        };
        // The shape is tested here, with the constraints that need no call; the remaining ones are
        // evaluated by an iteration of calls.
        let program = &self.interp.program.typed;
        let constraints = self.interp.constraints();
        let tested = types::obligations(program, constraints, self.view(), value, &ty);
        self.charge(tested.examined / EXAMINED_PER_STEP)?;
        let list = tested.constraints;
        self.stack.push(Word::Bool(list.is_some()));
        match list {
            Some(list) if !list.is_empty() => {
                self.charge(list.len())?;
                self.iters.push(Iter::Obligations(list.into_iter()));
                Ok(())
            }
            Some(_) | None => self.jump(end),
        }
    }

    pub(super) fn type_next(&mut self, done: u32) -> Step<()> {
        let next = match self.iters.last_mut() {
            Some(Iter::Obligations(list)) => list.next(),
            Some(_) | None => return Err(bug()),
        };
        let Some(o) = next else {
            self.iters.pop();
            return self.jump(done);
        };
        let code = self
            .interp
            .code(&CodeKey::Constraint(o.decl))
            .ok_or_else(bug)?;
        // A failure in the constraint continues after the check, with an undecided answer.
        let after = self.frame()?.pc + 1;
        self.protect(after, Takes::Failures);
        self.stack.push(Word::of(o.value));
        self.enter(code, 1, o.type_args)
    }
}
