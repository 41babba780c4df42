//! What a running test has told so far, shared between its thread and the one that watches over it.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::clause::ClauseKind;

/// What a report needs to know of a test that is running or has ended.
#[derive(Default)]
pub(super) struct Progress {
    /// The inputs, as they were before the call.
    pub(super) inputs: Vec<(&'static str, String)>,
    /// What the test computed since.
    pub(super) results: Vec<(&'static str, String)>,
    /// The clause being evaluated.
    pub(super) clause: Option<(ClauseKind, String)>,
    /// Where the panic came from: `src/lib.rs:4:9`.
    pub(super) panicked_at: Option<String>,
}

pub(super) type SharedProgress = Arc<Mutex<Progress>>;

thread_local! {
    /// The progress of the test that runs on this thread, if one does.
    static CURRENT: RefCell<Option<SharedProgress>> = const { RefCell::new(None) };
}

/// Makes this thread the one of a test.
pub(super) fn attach(progress: SharedProgress) {
    CURRENT.with(|current| *current.borrow_mut() = Some(progress));
}

/// The progress, also where its thread panicked while it held it.
pub(super) fn lock(progress: &SharedProgress) -> MutexGuard<'_, Progress> {
    progress.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something with the progress of this thread's test; false if none runs here.
pub(super) fn with_current(action: impl FnOnce(&mut Progress)) -> bool {
    // A panic hook may come while the thread's locals are being dropped.
    let current = CURRENT.try_with(|current| current.borrow().clone()).ok().flatten();
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

/// Notes a value for the report: `#[dunit]` calls it after every `let` of the test. Those before the first other
/// statement are the inputs.
pub fn record(name: &'static str, is_input: bool, value: Option<String>) {
    let Some(value) = value else { return };
    with_current(|progress| {
        let values = if is_input { &mut progress.inputs } else { &mut progress.results };
        values.push((name, value));
    });
}
