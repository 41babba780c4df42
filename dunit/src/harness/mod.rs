//! The harness of the generated tests: a large stack, a time limit, and readable failures.
//!
//! `#[dunit]` makes a test whose body [`run`] executes on a separate thread. A failure is reported
//! on standard error, where libtest and nextest capture it: the failed clause with its location in
//! the Dafny source, both sides of a comparison, the inputs before the call, the values that the
//! test computed since, and the inputs that have changed; objects are shown with their fields. A
//! failed `require!` is distinguished from a failed `expect!`: it means that the test, not the
//! unit, is wrong.
//!
//! | Environment variable | Meaning | Default |
//! |---|---|---|
//! | `DUNIT_STACK` | bytes of stack of a test, with `K`, `M` or `G` | `512M` |
//! | `DUNIT_TIMEOUT` | seconds that a test may take; 0 for no limit | `60` |
//!
//! They take precedence over `#[dunit(stack = "1G", timeout = 5)]`. A test that exceeds its time
//! fails, but its thread cannot be stopped; it ends with the process. A stack overflow ends the
//! process: Rust cannot unwind from it.

mod clause;
mod program;
mod progress;
mod report;
mod run;
mod settings;
#[cfg(test)]
mod tests;

pub use clause::{Clause, ClauseKind, Probe, RenderByPrint, RenderNothing, Side, enter};
pub use program::{arguments, run_main};
pub use progress::{RecordNothing, RecordPrinted, RecordValue, inputs_made};
pub use run::{Case, run};

/// The payload of the panic that a failing Dafny `expect` statement, or a failing `:-` in a test,
/// unwinds with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halt {
    /// The message of the program.
    pub message: String,
    /// The location of the statement: `src/lib.dfy:12:3`.
    pub location: String,
}

impl std::fmt::Display for Halt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.location, self.message)
    }
}

/// Dafny's `expect` that fails: unwinds with a [`Halt`].
pub fn halt(message: impl Into<String>, location: impl Into<String>) -> ! {
    std::panic::panic_any(Halt {
        message: message.into(),
        location: location.into(),
    })
}

/// Evaluates an expression. Returns the failing `expect` that ends it, if one does. Other panics
/// propagate.
pub fn halted<R>(expression: impl FnOnce() -> R) -> Option<Halt> {
    let payload = std::panic::catch_unwind(std::panic::AssertUnwindSafe(expression)).err()?;
    match payload.downcast::<Halt>() {
        Ok(halt) => Some(*halt),
        Err(other) => std::panic::resume_unwind(other),
    }
}
