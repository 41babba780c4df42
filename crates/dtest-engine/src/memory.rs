//! Whether the process holds so much memory that units have to be given up.
//!
//! A safety net, as the clock is one: what a unit may make is bounded by counts that are the same on every machine (steps and elements of
//! the interpreter, terms and elements of the encoding). Who watches the process says so here ([`set_short`]).

use std::sync::atomic::{AtomicBool, Ordering};

static SHORT: AtomicBool = AtomicBool::new(false);

/// Whether work that can be given up is to be.
pub fn is_short() -> bool {
    SHORT.load(Ordering::Relaxed)
}

/// Says that memory is short, or that it no longer is.
pub fn set_short(short: bool) {
    SHORT.store(short, Ordering::Relaxed);
}
