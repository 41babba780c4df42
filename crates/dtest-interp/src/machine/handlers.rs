//! Handlers: sections of code whose failures and limits are caught, and the failures themselves.
//!
//! Ghost code gets a part of the remaining steps, and expressions that tolerate failures get an
//! unknown value instead. Key functions: [`Machine::protect`] starts a section, and
//! [`Machine::handle`] unwinds the machine to the innermost one that catches an outcome.

use super::{Handler, Machine, Memo, Step, Stop, Takes, bug, unsupported};
use crate::api::{Failure, FailureKind, Outcome};
use crate::ops::OpError;
use crate::word::Word;
use dtest_ir::reason::{Limit, Reason};

impl Machine<'_, '_, '_> {
    /// Continues at the innermost handler that catches the outcome.
    pub(super) fn handle(&mut self, stop: Stop) -> Step<()> {
        let (reason, by): (Reason, &[Takes]) = match &*stop {
            Outcome::Failed(f) => (
                Reason::Failed(f.message.as_str().into()),
                &[Takes::Failures],
            ),
            Outcome::Unsupported(reason) => {
                (reason.clone(), &[Takes::Failures, Takes::Unsupported])
            }
            Outcome::OutOfFuel(which) => (Reason::OutOfFuel(*which), &[Takes::Fuel]),
            Outcome::Returned(_) | Outcome::Halted { .. } | Outcome::Infeasible(_) => {
                return Err(stop);
            }
        };
        let Some(at) = self.handlers.iter().rposition(|h| by.contains(&h.takes)) else {
            return Err(stop);
        };
        let Some(h) = self.handlers.drain(at..).next() else {
            return Err(stop);
        };
        // The section's budget ends with it. If the outer budget is exhausted too, the outcome
        // propagates.
        self.limit = h.limit;
        if self.steps > self.limit {
            return Err(stop);
        }
        // Unwind all stacks to their heights at the start of the section.
        for frame in self.frames.drain(h.frames.min(self.frames.len())..) {
            if let Memo::Constant(computed) = &frame.memo {
                self.deterministic &= computed.was_deterministic;
            }
        }
        self.stack.truncate(h.stack);
        self.iters.truncate(h.iters);
        self.views.truncate(h.views);
        self.pending.truncate(h.pending);
        self.stack.push(Word::unknown(reason));
        self.frame()?.pc = h.target;
        Ok(())
    }

    /// Starts a section whose outcomes of the given kinds are caught at `target`.
    pub(super) fn protect(&mut self, target: u32, takes: Takes) {
        let is_fuel = takes == Takes::Fuel;
        let around = self.handlers.last();
        let is_in_ghost = is_fuel || around.is_some_and(|h| h.is_in_ghost);
        let tolerates = !is_fuel || around.is_some_and(|h| h.tolerates);
        self.handlers.push(Handler {
            frames: self.frames.len(),
            stack: self.stack.len(),
            iters: self.iters.len(),
            views: self.views.len(),
            pending: self.pending.len(),
            target,
            limit: self.limit,
            takes,
            is_in_ghost,
            tolerates,
        });
    }

    /// Starts a section of ghost code with a part of the remaining steps.
    pub(super) fn budget(&mut self, target: u32) {
        if !self.is_in_ghost() {
            self.before_ghost = Some(self.deterministic);
        }
        self.protect(target, Takes::Fuel);
        let part = self.limit.saturating_sub(self.steps) / 8;
        self.limit = self.steps.saturating_add(part);
    }

    /// Fails at the current place.
    pub(super) fn fail<T>(&self, kind: FailureKind, message: impl Into<String>) -> Step<T> {
        Err(Box::new(Outcome::Failed(Failure {
            kind,
            span: self.span(),
            clause: None,
            message: message.into(),
        })))
    }

    /// Records a violation after which execution can continue. It ends the execution unless
    /// violations are ignored and no handler catches it.
    pub(super) fn broken(&mut self, kind: FailureKind, message: impl Into<String>) -> Step<()> {
        self.broken_by(Failure {
            kind,
            span: self.span(),
            clause: None,
            message: message.into(),
        })
    }

    /// Records a violation as [`Self::broken`] does.
    pub(super) fn broken_by(&mut self, failure: Failure) -> Step<()> {
        // Inside an expression that tolerates failures, the failure is handled there.
        let is_end = !self.handlers.last().is_some_and(|h| h.tolerates);
        // If failures are disregarded, each is recorded once, and execution continues.
        match self.disregarded.as_mut().filter(|_| is_end) {
            Some(all) => {
                if !all.iter().any(|f| {
                    (f.kind, f.span, f.clause) == (failure.kind, failure.span, failure.clause)
                }) {
                    all.push(failure);
                }
                Ok(())
            }
            None => Err(Box::new(Outcome::Failed(failure))),
        }
    }

    /// Stops with the outcome of an operation that has no result.
    pub(super) fn op_error<T>(&self, error: OpError) -> Step<T> {
        match error {
            OpError::Failed(kind, message) => self.fail(kind, message),
            OpError::Open(reason) => Err(unsupported(reason)),
            OpError::TooLarge => Err(Box::new(Outcome::OutOfFuel(Limit::Memory))),
            OpError::Shape => Err(bug()),
        }
    }
}
