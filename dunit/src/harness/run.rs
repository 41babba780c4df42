//! Runs one test on a separate thread and reports its failure.

use std::panic::{catch_unwind, resume_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Once};
use std::{fmt, io, thread};

use super::progress::{self, SharedProgress};
use super::report::{self, Outcome};
use super::settings::{self, SettingError};

/// The description of a test that `#[dunit]` provides.
pub struct Case {
    /// The unit under test.
    pub unit: &'static str,
    /// The Rust file of the test.
    pub file: &'static str,
    /// The line of the test.
    pub line: u32,
    /// The stack size in bytes, if the attribute sets it.
    pub stack: Option<usize>,
    /// The time limit in seconds, if the attribute sets it; 0 for no limit.
    pub timeout: Option<u64>,
}

/// Runs a test. On failure, writes a report to standard error and unwinds with its text, without
/// the message of the panic hook.
pub fn run(case: &Case, body: fn()) {
    if let Err(failure) = attempt(case, body) {
        let report = failure.to_string();
        eprintln!("{report}");
        resume_unwind(Box::new(report));
    }
}

/// The reason why a test did not pass.
#[derive(Debug)]
pub(super) enum TestFailure {
    /// It was not run, because of an environment variable.
    Setting(SettingError),
    /// It was not run, because its thread cannot be started.
    NoThread {
        /// The size of the stack in bytes.
        stack: usize,
        /// The cause.
        source: io::Error,
    },
    /// It failed, with this report.
    Failed(String),
}

impl fmt::Display for TestFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setting(error) => error.fmt(f),
            Self::NoThread { stack, source } => write!(
                f,
                "cannot start a thread with a stack of {stack} bytes ({source}); set DUNIT_STACK"
            ),
            Self::Failed(report) => f.write_str(report),
        }
    }
}

impl std::error::Error for TestFailure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Setting(error) => Some(error),
            Self::NoThread { source, .. } => Some(source),
            Self::Failed(_) => None,
        }
    }
}

impl From<SettingError> for TestFailure {
    fn from(error: SettingError) -> Self {
        Self::Setting(error)
    }
}

/// Runs a test.
pub(super) fn attempt(case: &Case, body: fn()) -> Result<(), TestFailure> {
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
        // If the test took too long, nobody receives the outcome.
        let _ = sender.send(outcome);
    };
    let handle = thread::Builder::new()
        .name(thread::current().name().unwrap_or(case.unit).to_owned())
        .stack_size(stack)
        .spawn(test)
        .map_err(|source| TestFailure::NoThread { stack, source })?;
    let outcome = match timeout {
        Some(limit) => receiver.recv_timeout(limit),
        None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
    };
    let outcome = match outcome {
        Ok(outcome) => {
            // The thread's output and drops belong to the test.
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
        failed => Err(TestFailure::Failed(report::render(
            case,
            &failed,
            &progress::lock(&progress),
        ))),
    }
}

/// Installs a panic hook that ignores panics of tests, which are in the report; other panics go to
/// the previous hook.
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
