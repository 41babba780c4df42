//! The calls that executions make, with their arguments and the heap at that time: inputs for what
//! is called, in the states in which its callers call it.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::heap::{self, State};
use super::word::Word;
use super::{Inputs, Interp};
use dafny_resolve::typed::{CallableId, Type};

/// Calls of one callable that are recorded in one execution, at most: the first, and the last of
/// the others.
const MAX_OF_CALLEE: usize = 3;
/// Calls that are recorded in one execution, at most, without those that take the place of earlier
/// ones.
const MAX_CALLS: usize = 32;
/// Objects of a heap that is recorded, at most.
const MAX_OBJECTS: usize = 64;

/// A call as the machine makes it: what it costs to keep it does not depend on the size of values.
struct Call {
    callee: CallableId,
    type_args: Rc<[Type]>,
    args: Vec<Word>,
    heap: State,
}

/// The calls of one execution.
#[derive(Default)]
pub(super) struct Recorder {
    calls: Vec<Call>,
    /// For each callable, the places of its calls, and how many it has made.
    of_callee: FxHashMap<CallableId, (Vec<usize>, usize)>,
}

impl Recorder {
    /// Records a call, or lets it take the place of an earlier one of the same callable.
    fn record(&mut self, call: Call) {
        let (places, count) = self.of_callee.entry(call.callee).or_default();
        *count += 1;
        if places.len() < MAX_OF_CALLEE {
            if self.calls.len() < MAX_CALLS {
                places.push(self.calls.len());
                self.calls.push(call);
            }
            return;
        }
        let place = places.get(1 + *count % (MAX_OF_CALLEE - 1));
        if let Some(slot) = place.and_then(|at| self.calls.get_mut(*at)) {
            *slot = call;
        }
    }
}

impl Interp<'_> {
    /// From now on, calls that compiled code makes are recorded.
    pub(crate) fn record_calls(&self) {
        self.recorder.replace(Some(Recorder::default()));
    }

    /// The calls since the last time, in the order in which they were first recorded; those of
    /// which an argument is not known are left out. What they leave in the heap that no argument
    /// leads to is in it.
    pub(crate) fn take_calls(&self) -> Vec<(CallableId, Inputs)> {
        let Some(recorder) = self.recorder.replace(Some(Recorder::default())) else {
            return Vec::new();
        };
        let inputs = |call: Call| {
            // What is unknown would be taken for what nobody has assigned.
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

    /// Records a call, if that is asked for.
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
