//! The clock: for the times in reports, and as a safety net behind counted budgets.
//!
//! Results within a budget do not depend on the clock. No other module reads it.

use std::time::Instant;

/// Returns the current time.
#[allow(clippy::disallowed_methods, reason = "the one place")]
pub fn now() -> Instant {
    Instant::now()
}
