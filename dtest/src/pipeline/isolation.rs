//! What earlier attempts of a run say of units, and which units are at work now.
//!
//! The command line has the attempts (`crate::attempts`) and says so here, once, before anything is searched.

use std::sync::OnceLock;

use dtest_engine::lower::units::Unit;
use dtest_engine::reason::Stopped;

/// How a unit is worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Together with others.
    Together,
    /// Alone, after all others.
    Alone,
    /// Not at all: an earlier attempt ended with it.
    GivenUp(Stopped),
}

/// The attempts of a run.
pub trait Attempts: Send + Sync {
    /// How a unit is worked on.
    fn turn(&self, unit: &str) -> Turn;
    /// Work on a unit begins.
    fn begin(&self, unit: &str);
    /// It is done.
    fn end(&self, unit: &str);
    /// Ends this attempt, if there can be another, which gives up the units because of their memory.
    fn start_again_without(&self, units: &[String]);
    /// Ends this attempt, if there can be another, in which each of the units is alone.
    fn start_again_apart(&self, units: &[String]);
    /// Looks at once at how much memory the process holds.
    fn look_at_memory(&self);
}

static ATTEMPTS: OnceLock<Box<dyn Attempts>> = OnceLock::new();

/// Sets the attempts, once in a process.
pub fn set(attempts: Box<dyn Attempts>) {
    // A second run in the same process belongs to the same attempt.
    let _ = ATTEMPTS.set(attempts);
}

/// A unit as attempts know it: the same in every attempt at a program, and another one in each stage of the work, since what a unit
/// needs in one of them is no reason to give it up in another.
pub(super) fn name(stage: &str, unit: &Unit) -> String {
    let path = unit.path.replace(['\n', '\t'], " ");
    format!("{stage} {} {path}", unit.callable.0)
}

/// How a unit is worked on.
pub(super) fn turn(unit: &str) -> Turn {
    ATTEMPTS.get().map_or(Turn::Together, |a| a.turn(unit))
}

/// Ends this attempt, if there can be another, which gives up the units because of their memory.
pub(super) fn start_again_without(units: &[String]) {
    if let Some(attempts) = ATTEMPTS.get() {
        attempts.start_again_without(units);
    }
}

/// Ends this attempt, if there can be another, in which each of the units is alone.
pub(super) fn start_again_apart(units: &[String]) {
    if let Some(attempts) = ATTEMPTS.get() {
        attempts.start_again_apart(units);
    }
}

/// Looks at once at how much memory the process holds, so that it is known whose it is.
pub(super) fn look_at_memory() {
    if let Some(attempts) = ATTEMPTS.get() {
        attempts.look_at_memory();
    }
}

/// Does the work for a unit.
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
