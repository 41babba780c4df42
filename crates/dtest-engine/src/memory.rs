//! Whether the process holds so much memory that units have to be given up.
//!
//! A safety net, as the clock is one: what a unit may make is bounded by counts that are the same on every machine (steps and elements of
//! the interpreter, terms and elements of the encoding). Who watches the process says so here ([`set_short`]).

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Longest time for which a unit waits for memory that others are letting go of.
const MAX_WAIT: Duration = Duration::from_secs(3);

static SHORT: AtomicBool = AtomicBool::new(false);
static SHORTAGES: AtomicU64 = AtomicU64::new(0);
/// The shortage that a unit waited for in vain.
static VAIN: AtomicU64 = AtomicU64::new(0);

/// Whether work that can be given up is to be.
pub fn is_short() -> bool {
    SHORT.load(Ordering::Relaxed)
}

/// Says that memory is short, or that it no longer is.
pub fn set_short(short: bool) {
    if !SHORT.swap(short, Ordering::Relaxed) && short {
        SHORTAGES.fetch_add(1, Ordering::Relaxed);
    }
}

/// How often memory became short: work between two equal counts, at the first of which it was not, was not disturbed.
pub fn shortages() -> u64 {
    SHORTAGES.load(Ordering::Relaxed)
}

/// Waits until memory is no longer short, for [`MAX_WAIT`] at most: what the last unit held is let go of, and seen to be, a moment after
/// the unit was given up. Whether memory is no longer short: an allocator may keep what it was given back.
pub fn wait_while_short() -> bool {
    let start = crate::clock::now();
    while is_short() && VAIN.load(Ordering::Relaxed) != shortages() {
        if start.elapsed() > MAX_WAIT {
            // The program alone takes that much: no later unit waits in vain.
            VAIN.store(shortages(), Ordering::Relaxed);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    !is_short()
}
