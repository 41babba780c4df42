//! The progress of a running test, shared between its thread and the one that watches it.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::clause::{ClauseKind, Probe};
use crate::heap::with_state;
use crate::print::{DafnyPrint, Shown};
use crate::value::Value;

/// The data for the report of a test that is running or has ended.
#[derive(Default)]
pub(super) struct Progress {
    /// The inputs, as they were before the call.
    pub(super) inputs: Vec<(&'static str, String)>,
    /// The values that the test computed since.
    pub(super) results: Vec<(&'static str, String)>,
    /// The inputs that have changed, with their final values.
    pub(super) changed: Vec<(&'static str, String)>,
    /// The clause being evaluated.
    pub(super) clause: Option<(ClauseKind, String)>,
    /// The location of the panic: `src/lib.rs:4:9`.
    pub(super) panicked_at: Option<String>,
}

pub(super) type SharedProgress = Arc<Mutex<Progress>>;

thread_local! {
    /// The progress of the test on this thread, if there is one.
    static CURRENT: RefCell<Option<SharedProgress>> = const { RefCell::new(None) };
    /// The printers of that test's inputs, with their indices in [`Progress::inputs`].
    static KEPT: RefCell<Vec<(usize, Printer)>> = const { RefCell::new(Vec::new()) };
}

/// Makes this thread the one of a test.
pub(super) fn attach(progress: SharedProgress) {
    CURRENT.with(|current| *current.borrow_mut() = Some(progress));
}

/// Locks the progress, even if its thread panicked while it held the lock.
pub(super) fn lock(progress: &SharedProgress) -> MutexGuard<'_, Progress> {
    progress.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs an action on the progress of this thread's test; returns false if there is none.
pub(super) fn with_current(action: impl FnOnce(&mut Progress)) -> bool {
    // A panic hook may run while the thread's locals are being dropped.
    let current = CURRENT
        .try_with(|current| current.borrow().clone())
        .ok()
        .flatten();
    match current {
        Some(progress) => {
            action(&mut lock(&progress));
            true
        }
        None => false,
    }
}

pub(super) fn evaluating(clause: Option<(ClauseKind, String)>) {
    with_current(|progress| progress.clause = clause);
}

/// Prints the present state of a value.
type Printer = Box<dyn Fn() -> String>;

/// Records a variable and its value for the report. `#[dunit]` calls `(&&&Probe(&x)).record("x",
/// true)` after every `let` of the test, which selects this trait if it applies, then
/// [`RecordPrinted`], then [`RecordNothing`].
pub trait RecordValue {
    /// Records the present value, and keeps a copy, which refers to the same objects, for later.
    fn record(&self, name: &'static str, is_input: bool);
}

impl<T: Value> RecordValue for &&Probe<'_, T> {
    fn record(&self, name: &'static str, is_input: bool) {
        let place = note(name, is_input, text(self.0));
        if let Some(place) = place {
            let value = self.0.clone();
            KEPT.with_borrow_mut(|kept| kept.push((place, Box::new(move || text(&value)))));
        }
    }
}

/// Records a variable whose value has a printed form.
pub trait RecordPrinted {
    /// Records the present value.
    fn record(&self, name: &'static str, is_input: bool);
}

impl<T: DafnyPrint + ?Sized> RecordPrinted for &Probe<'_, T> {
    fn record(&self, name: &'static str, is_input: bool) {
        note(name, is_input, text(self.0));
    }
}

/// The fallback for a variable whose value cannot be shown.
pub trait RecordNothing {
    /// Does nothing.
    fn record(&self, name: &'static str, is_input: bool);
}

impl<T: ?Sized> RecordNothing for Probe<'_, T> {
    fn record(&self, _name: &'static str, _is_input: bool) {}
}

/// Formats a value for people, with the fields of objects.
fn text(value: &(impl DafnyPrint + ?Sized)) -> String {
    with_state(|| format!("{:#}", Shown(value)))
}

/// Records a variable. Returns its index among the inputs if it is one.
fn note(name: &'static str, is_input: bool, text: String) -> Option<usize> {
    let mut place = None;
    with_current(|progress| {
        let values = if is_input {
            &mut progress.inputs
        } else {
            &mut progress.results
        };
        place = is_input.then_some(values.len());
        values.push((name, text));
    });
    place
}

/// Records the present state of the inputs: `#[dunit]` calls it when all inputs exist.
pub fn inputs_made() {
    let now = current_inputs();
    with_current(|progress| {
        for (place, text) in now {
            if let Some(input) = progress.inputs.get_mut(place) {
                input.1 = text;
            }
        }
    });
}

/// Records the inputs that have changed.
pub(super) fn note_changes() {
    let now = current_inputs();
    with_current(|progress| {
        let changed = now.into_iter().filter_map(|(place, text)| {
            let (name, was) = progress.inputs.get(place)?;
            (*was != text).then_some((*name, text))
        });
        progress.changed = changed.collect();
    });
}

/// Drops the inputs.
pub(super) fn forget_inputs() {
    drop(KEPT.take());
}

fn current_inputs() -> Vec<(usize, String)> {
    KEPT.with_borrow(|kept| {
        kept.iter()
            .map(|(place, print)| (*place, print()))
            .collect()
    })
}
