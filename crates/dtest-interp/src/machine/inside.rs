//! Goals that inner activations of an entry reach.

use super::{Machine, Record};
use crate::api::Execution;
use crate::code::Code;
use dafny_resolve::typed::CallableId;
use dtest_ir::{BlockId, CallId, Criterion, GoalId, Program};

impl<'p> Record<'p> {
    /// Creates the record for an execution of a unit, which may be an entry.
    pub(crate) fn of(program: &'p Program, unit: CallableId) -> Self {
        Self {
            entry: program.systems.get(&unit).map(|s| (unit, s)),
            inlined: program.inlined.get(&unit),
            wants_path: program.criteria.has(Criterion::Path),
            ..Self::default()
        }
    }
}

impl Machine<'_, '_, '_> {
    /// Whether goals of a callable count here: it belongs to the system under test, and compiled
    /// code is running. An active handler marks the evaluation of a specification.
    pub(super) fn counts(&self, callable: CallableId) -> bool {
        let entry = self.record.as_ref().and_then(|r| r.entry);
        self.handlers.is_empty()
            && entry.is_some_and(|(unit, system)| unit == callable || system.has(callable))
    }

    /// Whether code of a callable is inlined in the unit here.
    pub(super) fn follows(&self, callable: CallableId) -> bool {
        let inlined = self.record.as_ref().and_then(|r| r.inlined);
        self.handlers.is_empty() && inlined.is_some_and(|i| i.followed.contains(&callable))
    }

    /// Returns the call that is being made, where calls are distinguished.
    pub(super) fn told_apart(&self, callee: CallableId) -> Option<CallId> {
        let inlined = self
            .record
            .as_ref()
            .and_then(|r| r.inlined)
            .filter(|_| self.handlers.is_empty())?;
        let by = self.frames.last().and_then(|f| f.by);
        // Below an activation that is not distinguished, calls are not distinguished either.
        if by.is_none() && self.frames.len() > 1 {
            None
        } else {
            inlined.call(by, self.span(), callee)
        }
    }

    /// Records that an inlined activation entered a block, under the call that entered the
    /// activation.
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

    /// Records a branch, if it belongs to the unit's path.
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
        // The branch ends the block with the last start before it.
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

    /// Records a goal of an inner activation. `goal` creates its id for the entry.
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
