//! Runs one test on a thread of its own and reports its failure.

use std::panic::{catch_unwind, resume_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Once};
use std::thread;

use super::progress::{self, SharedProgress};
use super::report::{self, Outcome};
use super::settings;

/// What `#[dunit]` knows of a test.
pub struct Case {
    /// The unit under test.
    pub unit: &'static str,
    /// The Rust file of the test.
    pub file: &'static str,
    /// Its line.
    pub line: u32,
    /// Bytes of stack, where the attribute says.
    pub stack: Option<usize>,
    /// Seconds, where the attribute says; 0 for no limit.
    pub timeout: Option<u64>,
}

/// Runs a test; on failure writes a report to standard error and unwinds with its text, without further noise.
pub fn run(case: &Case, body: fn()) {
    if let Err(report) = attempt(case, body) {
        eprintln!("{report}");
        resume_unwind(Box::new(report));
    }
}

/// Runs a test; the report of its failure.
pub(super) fn attempt(case: &Case, body: fn()) -> Result<(), String> {
    let stack = settings::stack(case.stack)?;
    let timeout = settings::timeout(case.timeout)?;
    silence_panics_of_tests();
    let progress = SharedProgress::default();
    let (sender, receiver) = channel();
    let theirs = Arc::clone(&progress);
    let test = move || {
        progress::attach(theirs);
        crate::print::keep_printed();
        let outcome = match catch_unwind(body) {
            Ok(()) => Outcome::Passed,
            Err(payload) => {
                progress::note_changes();
                Outcome::of_panic(payload)
            }
        };
        progress::forget_inputs();
        // The receiver is gone if the test took too long: nobody waits for the outcome.
        let _ = sender.send(outcome);
    };
    let handle = thread::Builder::new()
        .name(thread::current().name().unwrap_or(case.unit).to_owned())
        .stack_size(stack)
        .spawn(test)
        .map_err(|error| {
            format!(
                "cannot start a thread with a stack of {stack} bytes ({error}); set DUNIT_STACK"
            )
        })?;
    let outcome = match timeout {
        Some(limit) => receiver.recv_timeout(limit),
        None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
    };
    let outcome = match outcome {
        Ok(outcome) => {
            // What the thread printed and dropped comes before the end of the test.
            let _ = handle.join();
            outcome
        }
        Err(RecvTimeoutError::Timeout) => Outcome::TimedOut(timeout.unwrap_or_default()),
        Err(RecvTimeoutError::Disconnected) => {
            Outcome::Panicked("the test's thread ended without a result".to_owned())
        }
    };
    match outcome {
        Outcome::Passed => Ok(()),
        failed => Err(report::render(case, &failed, &progress::lock(&progress))),
    }
}

/// Panics of tests are in their report; the hook that was there keeps all others.
pub(super) fn silence_panics_of_tests() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let at = info.location().map(ToString::to_string);
            if !progress::with_current(|progress| progress.panicked_at = at) {
                previous(info);
            }
        }));
    });
}
