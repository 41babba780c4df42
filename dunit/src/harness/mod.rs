//! The harness of the generated tests: a large stack, a time limit, and failures that a person can read.
//!
//! `#[dunit]` makes a test whose body [`run`] executes on a thread of its own. A failure is reported on standard error,
//! where libtest and nextest capture it: what broke and where in the Dafny source, both sides of a comparison, the
//! inputs as they were before the call, what the test computed since, and the inputs that have changed; objects with
//! their fields. A broken `require!` is told apart from a
//! failed `expect!`: it says that the test, not the unit, is wrong.
//!
//! | Environment variable | Meaning | Default |
//! |---|---|---|
//! | `DUNIT_STACK` | bytes of stack of a test, with `K`, `M` or `G` | `512M` |
//! | `DUNIT_TIMEOUT` | seconds that a test may take; 0 for no limit | `60` |
//!
//! They prevail over `#[dunit(stack = "1G", timeout = 5)]`. A test that takes too long fails, but its thread cannot be
//! stopped; it ends with the process. A stack that is exhausted ends the process: Rust cannot unwind from it.

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

/// The payload of the panic that a failing Dafny `expect` statement, or a failing `:-` in a test, unwinds with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halt {
    /// What the program says.
    pub message: String,
    /// Where the statement is: `src/lib.dfy:12:3`.
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

/// The failing `expect` that ends the evaluation of an expression, if one does. Other panics go on.
pub fn halted<R>(expression: impl FnOnce() -> R) -> Option<Halt> {
    let payload = std::panic::catch_unwind(std::panic::AssertUnwindSafe(expression)).err()?;
    match payload.downcast::<Halt>() {
        Ok(halt) => Some(*halt),
        Err(other) => std::panic::resume_unwind(other),
    }
}
