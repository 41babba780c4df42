//! Calls by their summaries.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::{Machine, Memo, Step};
use crate::interp::api::Outcome;
use crate::interp::code::{Code, Mode};
use crate::interp::summary::{Call, MAX_SAVED, Summary};
use crate::interp::word::Word;
use crate::ir::GoalId;
use crate::typed::{CallableId, Type};

/// A call under way whose summary will be kept.
pub(super) struct Summarised {
    call: Call,
    /// Steps before it, saved ones included.
    before: u64,
    /// Conditions that were not decided before it.
    unknown: usize,
    /// Whether its goals are collected.
    collects: bool,
}

impl Machine<'_, '_, '_> {
    /// Begins an activation of a callee, or takes what an equal call gave.
    pub(super) fn enter_callee(&mut self, callee: CallableId, code: Rc<Code>, argc: usize, type_args: Rc<[Type]>, mode: Mode) -> Step<()> {
        let Some(call) = self.summarised(callee, argc, &type_args, mode) else { return self.enter(code, argc, type_args) };
        if let Some(summary) = self.interp.summaries.find(&call) {
            self.pop_many(argc as u32)?;
            self.saved = self.saved.saturating_add(summary.steps);
            if self.saved > MAX_SAVED {
                return Err(Box::new(Outcome::OutOfFuel("steps")));
            }
            summary.goals.iter().for_each(|g| self.note_inside(*g));
            self.stack.extend(summary.results);
            return Ok(());
        }
        let collects = mode == Mode::Compiled;
        if collects && let Some(r) = &mut self.record {
            r.collecting.push(FxHashSet::default());
        }
        let begun = Summarised { call, before: self.steps.saturating_add(self.saved), unknown: self.unknown.len(), collects };
        self.enter(code, argc, type_args)?;
        self.frame()?.memo = Memo::Summary(Box::new(begun));
        Ok(())
    }

    /// The call that is to be kept. Compiled code tells what it reaches; under a handler it does not.
    fn summarised(&self, callee: CallableId, argc: usize, type_args: &Rc<[Type]>, mode: Mode) -> Option<Call> {
        if !self.interp.summarises.get() || mode == Mode::Compiled && (self.record.is_none() || !self.handlers.is_empty()) {
            return None;
        }
        let args = self.stack.get(self.stack.len().checked_sub(argc)?..)?;
        self.interp.summaries.call(self.interp.program, callee, mode, type_args, args)
    }

    /// Keeps what a call gave.
    pub(super) fn summarise(&mut self, begun: Summarised, results: &[Word]) {
        let goals = match self.record.as_mut().filter(|_| begun.collects) {
            Some(r) => {
                let own = r.collecting.pop().unwrap_or_default();
                if let Some(outer) = r.collecting.last_mut() {
                    outer.extend(own.iter().copied());
                }
                let mut goals: Vec<GoalId> = own.into_iter().collect();
                goals.sort_unstable();
                goals
            }
            None => Vec::new(),
        };
        let is_known = |w: &Word| !matches!(w, Word::Unknown(_) | Word::Unset);
        if results.iter().all(is_known) && self.unknown.len() == begun.unknown {
            let steps = self.steps.saturating_add(self.saved).saturating_sub(begun.before);
            self.interp.summaries.keep(begun.call, Summary { results: results.to_vec(), goals: goals.into(), steps });
        }
    }
}
