//! Execution of calls by summaries.
//!
//! `Machine::enter_callee` looks up the summary of an equal call before it begins an activation;
//! `Machine::summarise` records one at the end. The hard part is to notice everything that makes a
//! call unsuitable: choices, undecided conditions and accesses beyond its footprint.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Machine, Memo, Step, bug};
use crate::api::Outcome;
use crate::code::{Code, Mode};
use crate::heap::cell_mut;
use crate::summary::{Call, Footprint, Kept, MAX_SAVED, Summary};
use crate::word::Word;
use dafny_resolve::typed::{CallableId, FieldId, Type};
use dtest_ir::GoalId;
use dtest_ir::reason::Limit;
use dtest_value::ObjectId;

/// The limits of summaries in one execution, and of summaries of calls with equal arguments.
const MAX_HERE: usize = 100_000;
const MAX_ALIKE: usize = 64;

/// An active call whose summary will be cached.
pub(super) struct Summarised {
    call: Call,
    kept: Kept,
    /// The steps before it, including saved ones.
    before: u64,
    /// The number of undecided conditions before it.
    undecided: u64,
    /// Whether its goals and footprint are collected.
    collects: bool,
}

/// The summaries of methods of objects in this execution, and the footprints of active calls.
#[derive(Default)]
pub(super) struct Here {
    known: FxHashMap<Call, Vec<Summary>>,
    count: usize,
    open: Vec<Footprint>,
}

impl Machine<'_, '_, '_> {
    /// Begins an activation of a callee, or uses the summary of an equal call.
    pub(super) fn enter_callee(
        &mut self,
        callee: CallableId,
        code: Rc<Code>,
        argc: usize,
        type_args: Rc<[Type]>,
        mode: Mode,
    ) -> Step<()> {
        if mode == Mode::Compiled {
            let at = self.stack.len().saturating_sub(argc);
            let args = self.stack.get(at..).unwrap_or_default();
            self.interp
                .record_call(callee, &type_args, args, &self.heap);
        }
        let Some((call, kept)) = self.summarised(callee, argc, &type_args, mode) else {
            return self.enter(code, argc, type_args);
        };
        // A summary of another execution would hide the comparisons of this one.
        let kept = match self.noted {
            Some(_) => Kept::InThisExecution,
            None => kept,
        };
        let found = match kept {
            Kept::Always => self.interp.summaries.find(&call),
            Kept::InThisExecution => self.found_here(&call),
        };
        // Replay the call: its goals, its effect on the heap, and its results.
        if let Some(summary) = found {
            self.pop_many(argc as u32)?;
            self.saved = self.saved.saturating_add(summary.steps);
            if self.saved > MAX_SAVED {
                return Err(Box::new(Outcome::OutOfFuel(Limit::Steps)));
            }
            summary.goals.iter().for_each(|g| self.note_inside(*g));
            for ((object, field), word) in &summary.footprint.writes {
                cell_mut(&mut self.heap, *object)
                    .ok_or_else(bug)?
                    .set_field(*field, word.clone());
            }
            if let Some(outer) = self.here.open.last_mut() {
                outer.follow(&summary.footprint);
            }
            self.stack.extend(summary.results);
            return Ok(());
        }
        // Only compiled code records goals and footprints.
        let collects = mode == Mode::Compiled;
        if collects && let Some(r) = &mut self.record {
            r.collecting.push(FxHashSet::default());
            self.here.open.push(Footprint::default());
        }
        let begun = Summarised {
            call,
            kept,
            before: self.steps.saturating_add(self.saved),
            undecided: self.undecided_count,
            collects,
        };
        self.enter(code, argc, type_args)?;
        self.frame()?.memo = Memo::Summary(Box::new(begun));
        Ok(())
    }

    /// Returns the summary of an equal call that found the same values in the fields that it read.
    fn found_here(&self, call: &Call) -> Option<Summary> {
        let holds = |(object, field): &(ObjectId, FieldId), word: &Word| {
            self.heap
                .get(object.0 as usize)
                .and_then(|cell| cell.field(*field))
                .is_some_and(|now| now.same(word))
        };
        let alike = self.here.known.get(call)?;
        alike
            .iter()
            .find(|s| {
                s.footprint
                    .reads
                    .iter()
                    .all(|(place, word)| holds(place, word))
            })
            .cloned()
    }

    /// Returns the key of a call that can be summarized. In compiled code, this requires that goals
    /// are recorded, which they are not under a handler.
    fn summarised(
        &self,
        callee: CallableId,
        argc: usize,
        type_args: &Rc<[Type]>,
        mode: Mode,
    ) -> Option<(Call, Kept)> {
        // A distinguished call has to record its own goals.
        if !self.interp.summarises.get()
            || self.calling.is_some()
            || mode == Mode::Compiled && (self.record.is_none() || !self.handlers.is_empty())
        {
            return None;
        }
        let args = self.stack.get(self.stack.len().checked_sub(argc)?..)?;
        self.interp
            .summaries
            .call(self.interp.program, callee, mode, type_args, args)
    }

    /// Caches the summary of a call that returned.
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
        let footprint = if begun.collects {
            self.here.open.pop().unwrap_or_default()
        } else {
            Footprint::default()
        };
        if let Some(outer) = self.here.open.last_mut() {
            outer.follow(&footprint);
        }
        // A result that depends on undecided conditions, or on more than the recorded fields, must
        // not be reused.
        let is_known = |w: &Word| !matches!(w, Word::Unknown(_) | Word::Unset);
        if results.iter().all(is_known)
            && self.undecided_count == begun.undecided
            && !footprint.is_opaque
        {
            let steps = self
                .steps
                .saturating_add(self.saved)
                .saturating_sub(begun.before);
            let summary = Summary {
                results: results.to_vec(),
                goals: goals.into(),
                steps,
                footprint: Rc::new(footprint),
            };
            match begun.kept {
                Kept::Always => self.interp.summaries.keep(begun.call, summary),
                Kept::InThisExecution => {
                    self.interp.summaries.note(&begun.call, &summary);
                    self.here.keep(begun.call, summary);
                }
            }
        }
    }

    /// Records the read of a field by compiled code or its conditions.
    pub(super) fn note_read(&mut self, object: ObjectId, field: FieldId, word: &Word) {
        let is_old = !self.views.is_empty();
        if let Some(footprint) = self.here.open.last_mut() {
            footprint.is_opaque |= is_old;
            footprint.read((object, field), word);
        }
    }

    /// Records the write of a field.
    pub(super) fn note_write(&mut self, object: ObjectId, field: FieldId, word: &Word) {
        if let Some(footprint) = self.here.open.last_mut() {
            footprint.writes.insert((object, field), word.clone());
        }
    }

    /// Records another access to the heap: no active call can be summarized.
    pub(super) fn note_opaque(&mut self) {
        if let Some(footprint) = self.here.open.last_mut() {
            footprint.is_opaque = true;
        }
    }
}

impl Here {
    fn keep(&mut self, call: Call, summary: Summary) {
        if self.count >= MAX_HERE {
            return;
        }
        let alike = self.known.entry(call).or_default();
        if alike.len() < MAX_ALIKE {
            alike.push(summary);
            self.count += 1;
        }
    }
}
