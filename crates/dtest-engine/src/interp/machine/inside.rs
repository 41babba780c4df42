//! Goals that are reached inside of what an entry calls.

use super::{Machine, Record};
use crate::ir::{GoalId, Program};
use dafny_resolve::typed::CallableId;

impl<'p> Record<'p> {
    /// For an execution of a unit, which may be an entry.
    pub(in crate::interp) fn of(program: &'p Program, unit: CallableId) -> Self {
        Self { entry: program.systems.get(&unit).map(|s| (unit, s)), ..Self::default() }
    }
}

impl Machine<'_, '_, '_> {
    /// Whether goals of a callable count here: it belongs to the system under test, and what runs is compiled code. Conditions
    /// whose evaluation may fail are specifications: a handler is there for them.
    pub(super) fn counts(&self, callable: CallableId) -> bool {
        let entry = self.record.as_ref().and_then(|r| r.entry);
        self.handlers.is_empty() && entry.is_some_and(|(unit, system)| unit == callable || system.has(callable))
    }

    /// Notes a goal of an inner activation; `goal` gives it for the entry.
    pub(super) fn reach_inside(&mut self, callable: CallableId, goal: impl FnOnce(CallableId) -> GoalId) {
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
