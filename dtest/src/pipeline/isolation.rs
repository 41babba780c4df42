//! The interface to the attempts of a run (`crate::attempts`): the treatment of units that follows
//! from earlier attempts, and a record of the units at work.
//!
//! The command line implements [`Attempts`] and sets it once, before the search begins.

use std::sync::OnceLock;

use dtest_ir::reason::Stopped;
use dtest_lower::units::Unit;

/// The treatment of a unit in this attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The unit is searched in parallel with others.
    Together,
    /// The unit is searched alone, after all others.
    Alone,
    /// The unit is skipped, because an earlier attempt ended with it.
    GivenUp(Stopped),
}

/// The attempts of a run.
pub trait Attempts: Send + Sync {
    /// The treatment of a unit in this attempt.
    fn turn(&self, unit: &str) -> Turn;
    /// Records that work on a unit begins.
    fn begin(&self, unit: &str);
    /// Records that work on a unit is done.
    fn end(&self, unit: &str);
    /// Ends this attempt, if another is possible, which then abandons these units because of their
    /// memory.
    fn start_again_without(&self, units: &[String]);
    /// Ends this attempt, if another is possible, in which each of the units is searched alone.
    fn start_again_apart(&self, units: &[String]);
    /// Measures the memory of the process now.
    fn look_at_memory(&self);
}

static ATTEMPTS: OnceLock<Box<dyn Attempts>> = OnceLock::new();

/// Sets the attempts, once per process.
pub fn set(attempts: Box<dyn Attempts>) {
    // A second run in the same process belongs to the same attempt.
    let _ = ATTEMPTS.set(attempts);
}

/// Returns the name of a unit in attempts. It is the same in every attempt at a program, and
/// differs between stages, because the needs of a unit in one stage are no reason to abandon it in
/// another.
pub(super) fn name(stage: &str, unit: &Unit) -> String {
    let path = unit.path.replace(['\n', '\t'], " ");
    format!("{stage} {} {path}", unit.callable.0)
}

/// The treatment of a unit in this attempt.
pub(super) fn turn(unit: &str) -> Turn {
    ATTEMPTS.get().map_or(Turn::Together, |a| a.turn(unit))
}

/// Ends this attempt, if another is possible, which then abandons these units because of their
/// memory.
pub(super) fn start_again_without(units: &[String]) {
    if let Some(attempts) = ATTEMPTS.get() {
        attempts.start_again_without(units);
    }
}

/// Ends this attempt, if another is possible, in which each of the units is searched alone.
pub(super) fn start_again_apart(units: &[String]) {
    if let Some(attempts) = ATTEMPTS.get() {
        attempts.start_again_apart(units);
    }
}

/// Measures the memory of the process now, so that it can be attributed to a unit.
pub(super) fn look_at_memory() {
    if let Some(attempts) = ATTEMPTS.get() {
        attempts.look_at_memory();
    }
}

/// Runs the work on a unit, and records its begin and end.
pub(super) fn at_work<T>(unit: &str, work: impl FnOnce() -> T) -> T {
    if let Some(attempts) = ATTEMPTS.get() {
        attempts.begin(unit);
    }
    let result = work();
    if let Some(attempts) = ATTEMPTS.get() {
        attempts.end(unit);
    }
    result
}
