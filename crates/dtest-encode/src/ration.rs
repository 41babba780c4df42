//! Rationing of calls: the decision which calls are inlined.
//!
//! While the call tree is small, every call is inlined, once for equal arguments and heaps. A large
//! call tree grows with the number of calls instead of the size of the program. Then the encoding
//! is abandoned ([`super::Encoding::overflows`]) and repeated with at most [`super::Bounds::calls`]
//! copies of every callee. A call without a copy crosses that bound. Small callees are inlined
//! anyway, up to the limit of an encoding without rationing.

use std::rc::Rc;

use super::value::Sym;
use super::walk::Reached;
use super::{BoundKind, Bounds, Encoder};
use dafny_resolve::typed::{CallableId, Substitution, Type};
use dafny_source::Span;
use dtest_ir::{Procedure, Var};
use dtest_smt::Term;

/// The limit of activations in an encoding without rationing.
const MAX_ACTIVATIONS: u32 = 2_000;

/// The shared result of equal method calls: the results, the condition that the call returns, and
/// the encoded activation.
pub(super) type Returned = (Vec<Sym>, Term, Option<usize>);

impl<'p> Encoder<'p> {
    /// Returns the bound that a call would cross; `None` if it is inlined.
    pub(super) fn stops(&mut self, callee: CallableId, depth: u32) -> Option<BoundKind> {
        if depth > self.deepest(callee) || self.work.nesting > super::MAX_NESTING {
            return Some(BoundKind::Inline);
        }
        let is_free = self.is_followed(callee);
        let copies = self.work.copies.entry(callee).or_default();
        // Nested activations have a bound of their own, so that each depth adds to the copies.
        if self.bounds.calls != Bounds::ALL_CALLS
            && !is_free
            && *copies >= self.bounds.calls.saturating_add(depth)
        {
            return Some(BoundKind::Calls);
        }
        *copies += 1;
        self.work.activated += 1;
        if self.work.activated > MAX_ACTIVATIONS && self.bounds.calls == Bounds::ALL_CALLS {
            self.work.overflows = true;
            self.work.exhausted = true;
        }
        None
    }

    /// Whether calls of a callee are inlined even under rationing: it is small, and few calls have
    /// been inlined so far.
    pub(super) fn is_followed(&mut self, callee: CallableId) -> bool {
        let program = self.program;
        let is_small = *self
            .calls
            .small
            .entry(callee)
            .or_insert_with(|| program.is_small(callee));
        is_small && self.work.activated < MAX_ACTIVATIONS
    }

    /// Inlines a call of a method.
    pub(super) fn inline(
        &mut self,
        proc: &'p Procedure,
        type_args: &[Type],
        args: &[Sym],
        depth: u32,
        site: Span,
    ) -> Vec<Sym> {
        let callee = proc.callable;
        let key = (
            callee,
            type_args.to_vec(),
            args.to_vec(),
            self.heap.version,
            depth,
        );
        let subst: Substitution = proc
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect();
        let (tt, answered) = (self.t.tt, self.external.answers.len());
        let mut reached = self.calls.activations.is_some().then(Reached::default);
        // The walk is relative to the entry of the callee; the path condition of the caller is kept
        // for facts in it.
        self.path.conditions.push(self.path.guard);
        let activation = self.begin();
        let walk = |e: &mut Self| {
            e.isolated(|e| e.walk(proc, args, &Rc::new(subst), tt, reached.as_mut()))
        };
        let (end, _) = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || walk(self));
        self.path.conditions.pop();
        self.end(activation, callee, reached.unwrap_or_default());
        self.enters(activation, Some(site));
        self.require(end.returned);
        // Only a call without effects can be reused, because effects are not part of the key.
        let changes_nothing = self.heap.version == key.3
            && self.external.answers.len() == answered
            && !self.may_differ(callee, args);
        if changes_nothing && !self.work.exhausted {
            self.calls
                .returned
                .insert(key, (end.outs.clone(), end.returned, activation));
        }
        end.outs
    }

    /// Returns the results of an equal earlier call.
    pub(super) fn recalled(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Sym],
        depth: u32,
        site: Span,
    ) -> Option<Vec<Sym>> {
        let key = (
            callee,
            type_args.to_vec(),
            args.to_vec(),
            self.heap.version,
            depth,
        );
        let (outs, returned, activation) = self.calls.returned.get(&key).cloned()?;
        self.enters(activation, Some(site));
        self.require(returned);
        Some(outs)
    }

    /// Encodes a call that is not inlined: results and whatever the callee may write are arbitrary.
    pub(super) fn stop(
        &mut self,
        bound: BoundKind,
        callee: CallableId,
        type_args: &[Type],
        args: &[Sym],
        results: &[Option<Type>],
    ) -> Vec<Sym> {
        self.cross(bound);
        let before = self.before(callee, args);
        let writes = self.writes_of(callee);
        self.havoc_written(&writes);
        if self.is_inductive() {
            let kept = self.kept_fields();
            self.require(kept);
        }
        let values: Vec<Sym> = results
            .iter()
            .map(|ty| ty.as_ref().map_or(Sym::Any, |ty| self.any(ty)))
            .collect();
        self.assume_contract_with_heap(callee, type_args, args, &values, before);
        values
    }
}

/// Returns the types of the variables that receive the results of a call.
pub(super) fn types_of(outs: &[Option<Var>], frame: &super::Frame<'_>) -> Vec<Option<Type>> {
    outs.iter()
        .map(|v| v.and_then(|v| frame.type_of(v)))
        .collect()
}
