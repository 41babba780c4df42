//! Whether the process uses so much memory that units have to be abandoned.
//!
//! This is a safety net like the clock. The work of a unit is limited by counts that are
//! independent of the machine: steps and elements of the interpreter, terms and elements of the
//! encoding. The command line watches the process and calls [`set_short`].

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// The limit of the time that a unit waits for memory that others release.
const MAX_WAIT: Duration = Duration::from_secs(3);

static SHORT: AtomicBool = AtomicBool::new(false);
static SHORTAGES: AtomicU64 = AtomicU64::new(0);
static SOLVER_SHORTAGES: AtomicU64 = AtomicU64::new(0);
/// The shortage that a unit waited for without success.
static VAIN: AtomicU64 = AtomicU64::new(0);

/// Whether memory is short, so that units have to be abandoned.
pub fn is_short() -> bool {
    SHORT.load(Ordering::Relaxed)
}

/// Sets whether memory is short.
pub fn set_short(short: bool) {
    if !SHORT.swap(short, Ordering::Relaxed) && short {
        SHORTAGES.fetch_add(1, Ordering::Relaxed);
    }
}

/// Returns the number of shortages so far. Work between two equal counts was not disturbed, if
/// memory was not short at the first one.
pub fn shortages() -> u64 {
    SHORTAGES.load(Ordering::Relaxed)
}

/// Counts an optional query that was given up because the solver reached the limit of its memory,
/// which all units share.
pub fn count_solver_shortage() {
    SOLVER_SHORTAGES.fetch_add(1, Ordering::Relaxed);
}

/// Returns the number of optional queries that were given up for want of solver memory. Work
/// between two equal counts was not disturbed.
pub fn solver_shortages() -> u64 {
    SOLVER_SHORTAGES.load(Ordering::Relaxed)
}

/// Waits until memory is no longer short, at most [`MAX_WAIT`]: the memory of an abandoned unit is
/// released a moment later. Returns whether memory is no longer short; an allocator may keep
/// released memory.
pub fn wait_while_short() -> bool {
    let start = crate::clock::now();
    while is_short() && VAIN.load(Ordering::Relaxed) != shortages() {
        if start.elapsed() > MAX_WAIT {
            // The program itself needs that much: later units must not wait again.
            VAIN.store(shortages(), Ordering::Relaxed);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    !is_short()
}
