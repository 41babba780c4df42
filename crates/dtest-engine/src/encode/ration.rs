//! Which calls are followed into their callees.
//!
//! Every call is, once for the same arguments in the same heap, as long as the tree of calls is small. A tree that is not grows with the
//! number of its calls and not with the program: then the encoding is given up ([`super::Encoding::overflows`]) and made
//! again with [`super::Bounds::calls`] copies of every callee, so that its size is that of the program. A call that finds none left
//! crosses that bound. Callees that are small are followed all the same, up to as many calls as there may be where nothing is rationed.

use std::rc::Rc;

use super::value::Sym;
use super::walk::Reached;
use super::{BoundKind, Bounds, Encoder};
use crate::ir::{Procedure, Var};
use crate::smt::Term;
use dafny_resolve::typed::{CallableId, Substitution, Type};
use dafny_syntax::source::Span;

/// Activations in one encoding, at most, where nothing is rationed.
const MAX_ACTIVATIONS: u32 = 2_000;

/// What a call of a method is the same by, and gives: results, when it returns, and the activation that was encoded.
pub(super) type Returned = (Vec<Sym>, Term, Option<usize>);

impl<'p> Encoder<'p> {
    /// The bound that a call would cross; none: it is followed.
    pub(super) fn stops(&mut self, callee: CallableId, depth: u32) -> Option<BoundKind> {
        if depth > self.deepest(callee) || self.nesting > super::MAX_NESTING {
            return Some(BoundKind::Inline);
        }
        let is_free = self.is_followed(callee);
        let copies = self.copies.entry(callee).or_default();
        // Those that are nested have a bound of their own.
        if self.bounds.calls != Bounds::ALL_CALLS
            && !is_free
            && *copies >= self.bounds.calls.saturating_add(depth)
        {
            return Some(BoundKind::Calls);
        }
        *copies += 1;
        self.activated += 1;
        if self.activated > MAX_ACTIVATIONS && self.bounds.calls == Bounds::ALL_CALLS {
            self.overflows = true;
            self.exhausted = true;
        }
        None
    }

    /// Whether calls of a callee are followed although calls are rationed: it is small, and not many have been followed.
    pub(super) fn is_followed(&mut self, callee: CallableId) -> bool {
        let program = self.program;
        let is_small = *self
            .small
            .entry(callee)
            .or_insert_with(|| program.is_small(callee));
        is_small && self.activated < MAX_ACTIVATIONS
    }

    /// Follows a call of a method into its blocks.
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
        let (tt, answered) = (self.t.tt, self.answers.len());
        let mut reached = self.activations.is_some().then(Reached::default);
        self.conditions.push(self.guard);
        let activation = self.begin();
        let walk = |e: &mut Self| {
            e.isolated(|e| e.walk(proc, args, &Rc::new(subst), tt, reached.as_mut()))
        };
        let (end, _) = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || walk(self));
        self.conditions.pop();
        self.end(activation, callee, reached.unwrap_or_default());
        self.enters(activation, Some(site));
        self.require(end.returned);
        let changes_nothing = self.heap.version == key.3
            && self.answers.len() == answered
            && !self.may_differ(callee, args);
        if changes_nothing && !self.exhausted {
            self.returned
                .insert(key, (end.outs.clone(), end.returned, activation));
        }
        end.outs
    }

    /// What an equal call gave, if there was one.
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
        let (outs, returned, activation) = self.returned.get(&key).cloned()?;
        self.enters(activation, Some(site));
        self.require(returned);
        Some(outs)
    }

    /// A call that is not followed: its results are any, and so is the heap.
    pub(super) fn stop(
        &mut self,
        bound: BoundKind,
        callee: CallableId,
        type_args: &[Type],
        args: &[Sym],
        results: &[Option<Type>],
    ) -> Vec<Sym> {
        self.cross(bound);
        let before = self.heap.clone();
        self.havoc_heap();
        let values: Vec<Sym> = results
            .iter()
            .map(|ty| ty.as_ref().map_or(Sym::Any, |ty| self.any(ty)))
            .collect();
        self.assume_contract_with_heap(callee, type_args, args, &values, before);
        values
    }
}

/// The types of what takes the results of a call.
pub(super) fn types_of(outs: &[Option<Var>], frame: &super::Frame<'_>) -> Vec<Option<Type>> {
    outs.iter()
        .map(|v| v.and_then(|v| frame.type_of(v)))
        .collect()
}
