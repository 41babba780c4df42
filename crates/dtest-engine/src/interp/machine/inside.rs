//! Goals that are reached inside of what an entry calls.

use super::{Machine, Record};
use crate::interp::api::Execution;
use crate::interp::code::Code;
use crate::ir::{BlockId, CallId, Criterion, GoalId, Program};
use dafny_resolve::typed::CallableId;

impl<'p> Record<'p> {
    /// For an execution of a unit, which may be an entry.
    pub(in crate::interp) fn of(program: &'p Program, unit: CallableId) -> Self {
        Self {
            entry: program.systems.get(&unit).map(|s| (unit, s)),
            inlined: program.inlined.get(&unit),
            wants_path: program.criteria.has(Criterion::Path),
            ..Self::default()
        }
    }
}

impl Machine<'_, '_, '_> {
    /// Whether goals of a callable count here: it belongs to the system under test, and what runs is compiled code. Conditions
    /// whose evaluation may fail are specifications: a handler is there for them.
    pub(super) fn counts(&self, callable: CallableId) -> bool {
        let entry = self.record.as_ref().and_then(|r| r.entry);
        self.handlers.is_empty()
            && entry.is_some_and(|(unit, system)| unit == callable || system.has(callable))
    }

    /// Whether code of a callable counts as the unit's own here, call by call.
    pub(super) fn follows(&self, callable: CallableId) -> bool {
        let inlined = self.record.as_ref().and_then(|r| r.inlined);
        self.handlers.is_empty() && inlined.is_some_and(|i| i.followed.contains(&callable))
    }

    /// The call that is being made here, where it is told apart from others.
    pub(super) fn told_apart(&self, callee: CallableId) -> Option<CallId> {
        let inlined = self
            .record
            .as_ref()
            .and_then(|r| r.inlined)
            .filter(|_| self.handlers.is_empty())?;
        let by = self.frames.last().and_then(|f| f.by);
        // What is no call of the unit itself, and is not told apart, calls nothing that is.
        if by.is_none() && self.frames.len() > 1 {
            None
        } else {
            inlined.call(by, self.span(), callee)
        }
    }

    /// Notes that an inner activation comes to a block by way of the call that it was entered by.
    pub(super) fn reach_by_call(&mut self, callable: CallableId, block: BlockId) {
        let by = self
            .frames
            .last()
            .and_then(|f| f.by)
            .filter(|_| self.handlers.is_empty());
        let (Some(call), Some(r)) = (by, &mut self.record) else {
            return;
        };
        let goal = GoalId::BlockBy(call, callable, block);
        if r.reached_inside.insert(goal) {
            r.inner.push((r.visited.len() as u32, goal));
        }
    }

    /// Notes a branch that is taken to a block, where it is part of the unit's path.
    pub(super) fn note_branch(&mut self, code: &Code, block: BlockId) {
        let is_asked = self
            .record
            .as_ref()
            .is_some_and(|r| r.wants_path && r.path.len() < Execution::MAX_TRACE);
        let is_outermost = self.frames.len() == 1;
        let Some(callable) = code
            .callable
            .filter(|c| is_asked && (is_outermost || self.follows(*c)))
        else {
            return;
        };
        let pc = self.frames.last().map_or(0, |f| f.pc);
        // The branch belongs to the block that begins last before it.
        let before = (0..)
            .map(BlockId)
            .zip(&code.blocks)
            .filter(|(_, begin)| **begin < pc);
        let from = before
            .max_by_key(|(_, begin)| **begin)
            .map_or(BlockId(0), |(from, _)| from);
        if let Some(r) = &mut self.record {
            r.path.push((callable, from, block));
        }
    }

    /// Notes a goal of an inner activation; `goal` gives it for the entry.
    pub(super) fn reach_inside(
        &mut self,
        callable: CallableId,
        goal: impl FnOnce(CallableId) -> GoalId,
    ) {
        if !self.counts(callable) {
            return;
        }
        if let Some((unit, _)) = self.record.as_ref().and_then(|r| r.entry) {
            self.note_inside(goal(unit));
        }
    }

    pub(super) fn note_inside(&mut self, goal: GoalId) {
        let Some(r) = &mut self.record else { return };
        if let Some(collecting) = r.collecting.last_mut() {
            collecting.insert(goal);
        }
        if r.reached_inside.insert(goal) {
            r.inner.push((r.visited.len() as u32, goal));
        }
    }
}
