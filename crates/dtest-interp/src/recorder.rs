//! Recorded calls of executions, with their arguments and the heap at the time of the call.
//!
//! They serve as inputs of the callees, in the states in which their callers call them.
//! [`Recorder`] keeps a bounded selection; `Interp::record_calls` starts recording, and
//! `Interp::take_calls` returns the calls.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::heap::{self, State};
use super::word::Word;
use super::{Inputs, Interp};
use dafny_resolve::typed::{CallableId, Type};

/// The maximal number of recorded calls of one callable in one execution: the first ones, and the
/// last of the others.
const MAX_OF_CALLEE: usize = 3;
/// The maximal number of recorded calls in one execution, not counting those that replace earlier
/// ones.
const MAX_CALLS: usize = 32;
/// The maximal number of objects in a recorded heap.
const MAX_OBJECTS: usize = 64;

/// A call in the representation of the machine, so that the cost of recording does not depend on
/// the size of values.
struct Call {
    callee: CallableId,
    type_args: Rc<[Type]>,
    args: Vec<Word>,
    heap: State,
}

/// The calls of one execution.
pub(super) struct Recorder {
    max_of_callee: usize,
    max_calls: usize,
    calls: Vec<Call>,
    /// The indices of the recorded calls of each callable, and the number of all its calls.
    of_callee: FxHashMap<CallableId, (Vec<usize>, usize)>,
}

impl Recorder {
    fn new(max_of_callee: usize, max_calls: usize) -> Self {
        Self {
            max_of_callee,
            max_calls,
            calls: Vec::new(),
            of_callee: FxHashMap::default(),
        }
    }

    /// Records a call, which may replace an earlier one of the same callable.
    fn record(&mut self, call: Call) {
        let (places, count) = self.of_callee.entry(call.callee).or_default();
        *count += 1;
        if places.len() < self.max_of_callee {
            if self.calls.len() < self.max_calls {
                places.push(self.calls.len());
                self.calls.push(call);
            }
            return;
        }
        // The first call is kept; later ones replace each other in turn.
        let turn = *count % self.max_of_callee.saturating_sub(1).max(1);
        let place = places.get(1 + turn);
        if let Some(slot) = place.and_then(|at| self.calls.get_mut(*at)) {
            *slot = call;
        }
    }
}

impl Interp<'_> {
    /// Starts recording the calls of compiled code.
    pub fn record_calls(&self) {
        self.record_calls_up_to(MAX_OF_CALLEE, MAX_CALLS);
    }

    /// Starts recording calls, at most so many of one callable, and of all.
    pub fn record_calls_up_to(&self, max_of_callee: usize, max_calls: usize) {
        let recorder = Recorder::new(max_of_callee, max_calls);
        self.recorder.replace(Some(recorder));
    }

    /// Returns the calls recorded since the last time, in the order of their first recording.
    ///
    /// Calls with an unknown argument are omitted. The heap also contains objects that no argument
    /// leads to.
    pub fn take_calls(&self) -> Vec<(CallableId, Inputs)> {
        let mut recorder = self.recorder.borrow_mut();
        let Some(recorder) = recorder.as_mut() else {
            return Vec::new();
        };
        let next = Recorder::new(recorder.max_of_callee, recorder.max_calls);
        let recorder = std::mem::replace(recorder, next);
        let inputs = |call: Call| {
            // Unknown contents would be read as unassigned ones.
            if !heap::unknown_contents(&call.heap).is_empty() {
                return None;
            }
            let args = call.args.into_iter().map(Word::value);
            Some((
                call.callee,
                Inputs {
                    type_args: call.type_args.to_vec(),
                    args: args.collect::<Option<_>>()?,
                    heap: heap::write_out(&call.heap),
                    answers: Vec::new(),
                },
            ))
        };
        recorder.calls.into_iter().filter_map(inputs).collect()
    }

    /// Records a call if recording is on.
    pub(super) fn record_call(
        &self,
        callee: CallableId,
        type_args: &Rc<[Type]>,
        args: &[Word],
        heap: &State,
    ) {
        let mut recorder = self.recorder.borrow_mut();
        if let Some(recorder) = recorder.as_mut().filter(|_| heap.len() <= MAX_OBJECTS) {
            recorder.record(Call {
                callee,
                type_args: type_args.clone(),
                args: args.to_vec(),
                heap: heap.clone(),
            });
        }
    }
}
