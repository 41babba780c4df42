//! The clock: for the times that reports show, and as the safety net behind budgets that are counted.
//!
//! What is found within a budget does not depend on the clock; it is asked nowhere else.

use std::time::Instant;

/// Now.
#[allow(clippy::disallowed_methods, reason = "the one place")]
pub fn now() -> Instant {
    Instant::now()
}
