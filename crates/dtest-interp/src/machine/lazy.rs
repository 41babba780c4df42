//! Codatatypes: lazy arguments, and equality of possibly infinite values.
//!
//! An instruction that needs a lazy value starts its computation and is executed again afterwards,
//! so that nothing of the computation is on the host's stack.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use num_bigint::Sign;
use rustc_hash::FxHashSet;

use super::{Machine, Memo, Step, bug};
use crate::api::FailureKind;
use crate::code::{CodeKey, Mode};
use crate::word::Word;
use dafny_resolve::typed::Type;
use dtest_ir::reason::{Equality, NoValue, Reason};
use dtest_value::{LazyValue, Thunk, Value};

/// The limit of lazy arguments that a comparison inspects.
const MAX_LOOKS: u32 = 500;

impl Machine<'_, '_, '_> {
    /// Starts the computation of lazy values. The current instruction is executed again afterwards.
    fn compute_first(&mut self, lazies: &[Arc<LazyValue>], mode: Mode) -> Step<()> {
        // The current instruction is repeated after the computation.
        let frame = self.frame()?;
        frame.pc = frame.pc.saturating_sub(1);
        // A default value is created at once, and code runs in an activation of its own.
        for lazy in lazies {
            match lazy.thunk() {
                Thunk::Default(ty) => {
                    let unknown =
                        || Reason::NoDefault(self.interp.program.typed.show_type(ty).into());
                    lazy.note(self.interp.fresh_default(ty).ok_or_else(unknown));
                }
                Thunk::Code {
                    lambda,
                    captured,
                    type_args,
                } => {
                    let code = self
                        .interp
                        .code(&CodeKey::Lambda(*lambda, mode))
                        .ok_or_else(bug)?;
                    self.stack.extend(captured.iter().map(Word::of_ref));
                    self.enter(code, captured.len(), Rc::from(type_args.as_slice()))?;
                    self.frame()?.memo = Memo::Lazy(lazy.clone());
                }
            }
        }
        Ok(())
    }

    /// Computes the word on top of the stack if it is lazy.
    pub(super) fn force(&mut self, mode: Mode) -> Step<()> {
        while let Some(lazy) = as_lazy(self.top()?) {
            match lazy.computed() {
                Some(Ok(value)) => *self.top()? = Word::of_ref(value),
                Some(Err(reason)) => *self.top()? = Word::unknown(reason.clone()),
                None => return self.compute_first(std::slice::from_ref(&lazy), mode),
            }
        }
        Ok(())
    }

    /// Computes the lazy values of the top word whose constructors its printed form shows.
    pub(super) fn force_shown(&mut self, mode: Mode) -> Step<()> {
        let Some(value) = self.top()?.clone().value() else {
            return Ok(());
        };
        let program = &self.interp.program.typed;
        let (mut needs, mut unknown) = (Vec::new(), None);
        // All delayed values inside the shown value are collected first.
        let mut work = vec![&value];
        while let Some(v) = work.pop() {
            if let Value::Lazy(lazy) = v {
                match lazy.computed() {
                    Some(Ok(v)) => work.push(v),
                    Some(Err(reason)) => unknown = Some(reason.clone()),
                    None => needs.push(lazy.clone()),
                }
            } else if !matches!(v, Value::Datatype(d) if program.is_codatatype(program[d.ctor].datatype))
            {
                work.extend(v.parts());
            }
        }
        // The instruction is repeated, since computed values may contain delayed ones.
        if !needs.is_empty() {
            return self.compute_first(&needs, mode);
        }
        if let Some(reason) = unknown {
            *self.top()? = Word::unknown(reason);
        }
        Ok(())
    }

    /// Applies a destructor to a computed value of a codatatype. The result may only be lazy if it
    /// is a codatatype itself, because other operators cannot handle lazy values.
    pub(super) fn look(&mut self, field: dafny_resolve::typed::FieldId, mode: Mode) -> Step<()> {
        let program = &self.interp.program.typed;
        let word = self.top()?;
        let value = if matches!(word, Word::Unknown(_)) {
            return Ok(());
        } else if let Word::Datatype(d) = word {
            let position = program[d.ctor].fields.iter().position(|f| *f == field);
            match position.and_then(|i| d.args.get(i)) {
                Some(value) => value.clone(),
                None => {
                    let (field, ctor) = (&program[field].name, &program[d.ctor].name);
                    return self.fail(
                        FailureKind::Destructor,
                        format!("`{field}` of a value created by `{ctor}`"),
                    );
                }
            }
        } else {
            return Err(bug());
        };
        // A field of a codatatype stays delayed; other values are computed now.
        let stays = matches!(program.strip_subset(&program[field].ty), Type::Named { decl, .. } if program.is_codatatype(decl));
        let word = if let Value::Lazy(lazy) = &value {
            match lazy.computed() {
                Some(Ok(value)) => Word::of_ref(value),
                Some(Err(reason)) => Word::unknown(reason.clone()),
                None if stays => Word::of(value),
                None => return self.compute_first(std::slice::from_ref(lazy), mode),
            }
        } else {
            Word::of_ref(&value)
        };
        *self.top()? = word;
        Ok(())
    }

    /// Evaluates `==` and `!=` of values that may contain codatatypes.
    pub(super) fn same_deeply(&mut self, negate: bool, mode: Mode) -> Step<()> {
        let [.., a, b] = self.stack.as_slice() else {
            return Err(bug());
        };
        // The comparison asks for delayed values as long as it cannot decide.
        let word = match self.compare(a.clone(), b.clone(), None) {
            Comparison::Computed(truth) => {
                if let Word::Bool(same) = truth {
                    Word::Bool(same != negate)
                } else {
                    truth
                }
            }
            Comparison::Needs(lazies, cost) => {
                self.charge(cost)?;
                return self.compute_first(&lazies, mode);
            }
        };
        self.pop_many(2)?;
        self.stack.push(word);
        Ok(())
    }

    /// Evaluates `==#[limit]`.
    pub(super) fn prefix_equal(&mut self, mode: Mode) -> Step<()> {
        let [.., limit, a, b] = self.stack.as_slice() else {
            return Err(bug());
        };
        let word = if matches!(limit, Word::Unknown(_)) {
            limit.clone()
        } else if limit.as_number().is_some_and(|n| n.sign() == Sign::Minus) {
            return self.fail(
                FailureKind::Domain,
                "the limit of the comparison is negative",
            );
        } else {
            // Beyond the inspected depth, the limit makes no difference.
            match self.compare(
                a.clone(),
                b.clone(),
                Some(limit.as_number().map_or(usize::MAX, clamp)),
            ) {
                Comparison::Computed(truth) => truth,
                Comparison::Needs(lazies, cost) => {
                    self.charge(cost)?;
                    return self.compute_first(&lazies, mode);
                }
            }
        };
        self.pop_many(3)?;
        self.stack.push(word);
        Ok(())
    }

    /// Compares by bisimulation: a pair of lazy values that was met before is assumed to be equal.
    /// With a limit, codatatype arguments beyond that many constructors are not compared.
    fn compare(&self, a: Word, b: Word, limit: Option<usize>) -> Comparison {
        let (a, b) = match (a, b) {
            (unknown @ Word::Unknown(_), _) | (_, unknown @ Word::Unknown(_)) => {
                return Comparison::Computed(unknown);
            }
            (a, b) => match (a.value(), b.value()) {
                (Some(a), Some(b)) => (a, b),
                (_, _) => return Comparison::Computed(Word::unknown(NoValue::Value)),
            },
        };
        let mut walk = Walk {
            machine: self,
            work: VecDeque::new(),
            met: FxHashSet::default(),
            needs: Vec::new(),
            unknown: None,
            looks: 0,
        };
        walk.work.push_back((a, b, limit.unwrap_or(usize::MAX)));
        let mut cost = 0;
        // Breadth first: a difference close to the root is found before an endless path is
        // followed.
        while let Some((a, b, limit)) = walk.work.pop_front() {
            cost += 1;
            if limit > 0 && !walk.pair(a, b, limit) {
                return Comparison::Computed(Word::Bool(false));
            }
            if walk.looks > MAX_LOOKS {
                return Comparison::Computed(Word::unknown(Reason::SameSoFar(MAX_LOOKS)));
            }
        }
        // Delayed values that are needed take precedence over an unknown answer.
        match (walk.needs, walk.unknown) {
            (needs, _) if !needs.is_empty() => Comparison::Needs(needs, cost),
            (_, Some(reason)) => Comparison::Computed(Word::unknown(reason)),
            (_, None) => Comparison::Computed(Word::Bool(true)),
        }
    }
}

fn as_lazy(word: &Word) -> Option<Arc<LazyValue>> {
    if let Some(Value::Lazy(lazy)) = word.boxed() {
        Some(lazy.clone())
    } else {
        None
    }
}

fn clamp(limit: num_bigint::BigInt) -> usize {
    num_traits::ToPrimitive::to_usize(&limit).unwrap_or(
        if limit.sign() == num_bigint::Sign::Minus {
            0
        } else {
            usize::MAX
        },
    )
}

/// The result of a comparison.
enum Comparison {
    /// A truth value, possibly unknown.
    Computed(Word),
    /// Values that have to be computed first, and the cost so far.
    Needs(Vec<Arc<LazyValue>>, usize),
}

/// A comparison in progress.
struct Walk<'m, 'i, 'p, 's> {
    machine: &'m Machine<'i, 'p, 's>,
    /// The pairs to compare, each with the remaining number of codatatype constructors.
    work: VecDeque<(Value, Value, usize)>,
    /// The pairs with a lazy value that were met.
    met: FxHashSet<(Value, Value)>,
    needs: Vec<Arc<LazyValue>>,
    unknown: Option<Reason>,
    looks: u32,
}

impl Walk<'_, '_, '_, '_> {
    /// Compares the roots of two values; false if they differ.
    fn pair(&mut self, a: Value, b: Value, limit: usize) -> bool {
        match (a, b) {
            (Value::Lazy(a), Value::Lazy(b)) if a == b => true,
            (Value::Lazy(a), b) => self.lazy(&a, b, limit),
            (a, Value::Lazy(b)) => self.lazy(&b, a, limit),
            // Below a constructor of a codatatype, the comparison continues up to the limit of
            // destructor steps.
            (Value::Datatype(a), Value::Datatype(b)) => {
                if a.ctor != b.ctor || a.args.len() != b.args.len() {
                    return false;
                }
                if Arc::ptr_eq(&a, &b) {
                    return true;
                }
                let program = &self.machine.interp.program.typed;
                let co = program.is_codatatype(program[a.ctor].datatype);
                for (x, y) in a.args.iter().zip(&b.args) {
                    let limit = if co && self.is_codata(x) && limit != usize::MAX {
                        limit - 1
                    } else {
                        limit
                    };
                    self.work.push_back((x.clone(), y.clone(), limit));
                }
                true
            }
            // Components are compared later, which keeps the native stack flat.
            (Value::Seq(a), Value::Seq(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
                self.work.extend(
                    a.iter()
                        .zip(b.iter())
                        .map(|(x, y)| (x.clone(), y.clone(), limit)),
                );
                a.len() == b.len()
            }
            (Value::Map(a), Value::Map(b)) if a.len() == b.len() && a.keys().eq(b.keys()) => {
                self.work.extend(
                    a.values()
                        .zip(b.values())
                        .map(|(x, y)| (x.clone(), y.clone(), limit)),
                );
                true
            }
            // Different function values may still have the same results.
            (Value::Function(a), Value::Function(b)) => {
                if a != b {
                    self.unknown
                        .get_or_insert_with(|| Equality::Functions.into());
                }
                true
            }
            // Elements of sets are found by their order, which delayed values do not have.
            (a @ (Value::Set(_) | Value::Multiset(_) | Value::Map(_)), b)
                if a != b && (a.holds_lazy() || b.holds_lazy()) =>
            {
                self.unknown
                    .get_or_insert_with(|| Equality::Contained.into());
                true
            }
            (a @ (Value::Set(_) | Value::Multiset(_) | Value::Map(_)), b) if a.may_equal(&b) => {
                self.unknown
                    .get_or_insert_with(|| Equality::Functions.into());
                true
            }
            (a, b) => a == b,
        }
    }

    fn is_codata(&self, value: &Value) -> bool {
        let program = &self.machine.interp.program.typed;
        matches!(value, Value::Lazy(_))
            || matches!(value, Value::Datatype(d) if program.is_codatatype(program[d.ctor].datatype))
    }

    fn lazy(&mut self, lazy: &Arc<LazyValue>, other: Value, limit: usize) -> bool {
        self.looks += 1;
        // A pair that was met before is part of a cycle, and adds nothing new.
        if !self.met.insert((Value::Lazy(lazy.clone()), other.clone())) {
            return true;
        }
        match lazy.computed() {
            Some(Ok(value)) => self.work.push_back((value.clone(), other, limit)),
            Some(Err(reason)) => {
                self.unknown.get_or_insert_with(|| reason.clone());
            }
            None => self.needs.push(lazy.clone()),
        }
        true
    }
}
