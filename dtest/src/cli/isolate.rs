//! The attempts of a run, of which this process is one: the launcher starts another where the process dies ([`crate::attempts`]).

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::{interrupt, memory};
use crate::attempts::{self, Attempt, Cause};
use crate::pipeline::isolation::{self, Attempts, Turn};
use dtest_engine::reason::Stopped;

/// This attempt; not set where no launcher would start another.
static ATTEMPT: OnceLock<Attempt> = OnceLock::new();
/// The units at work, with when they were begun.
static AT_WORK: Mutex<BTreeMap<String, Instant>> = Mutex::new(BTreeMap::new());
/// The time after which a unit at work costs the process.
static LONGEST: OnceLock<Duration> = OnceLock::new();

/// Time that a unit may run on after its own limit: a multiple of that limit, for the stages that follow the search, and a constant.
const BEYOND: (u32, Duration) = (10, Duration::from_secs(120));

/// Takes up the attempt that the launcher asks for. Call it once, before anything is printed.
pub fn take_up() {
    if let Some(path) = std::env::var_os(attempts::VARIABLE).filter(|p| !p.is_empty()) {
        let _ = ATTEMPT.set(Attempt::of(&PathBuf::from(path)));
    }
    isolation::set(Box::new(OfLauncher));
}

/// Sets the limit of the time of a unit. Beyond it by far, a unit that does not look at the clock ends the process.
pub fn limit_time(of_unit: Duration) {
    let (times, more) = BEYOND;
    let _ = LONGEST.set(of_unit.saturating_mul(times).saturating_add(more));
}

/// Whether another attempt follows where this one dies.
pub fn is_attempt() -> bool {
    ATTEMPT.get().is_some()
}

/// Notes why the process is about to end.
pub fn ends(cause: Cause) {
    if let Some(attempt) = ATTEMPT.get() {
        attempt.cause(cause);
    }
}

/// Whether some unit is at work, which a death of the process would cost.
pub fn has_unit_at_work() -> bool {
    !at_work().is_empty()
}

/// Whether a unit has been at work for longer than it can take.
pub fn is_stuck() -> bool {
    LONGEST
        .get()
        .is_some_and(|longest| at_work().values().any(|since| since.elapsed() > *longest))
}

/// Whether an earlier attempt printed the text, so that this one does not.
pub fn is_printed(text: &str) -> bool {
    ATTEMPT.get().is_some_and(|a| a.is_printed(text))
}

fn at_work() -> std::sync::MutexGuard<'static, BTreeMap<String, Instant>> {
    AT_WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The attempts that the launcher makes.
struct OfLauncher;

impl Attempts for OfLauncher {
    fn turn(&self, unit: &str) -> Turn {
        let Some(plan) = ATTEMPT.get().map(Attempt::plan) else {
            return Turn::Together;
        };
        match plan.cause(unit) {
            Some(Cause::Memory) => Turn::GivenUp(Stopped::Memory),
            Some(Cause::Time) => Turn::GivenUp(Stopped::TooLong),
            Some(Cause::Crash | Cause::Ended) => Turn::GivenUp(Stopped::Crashed),
            None if plan.alone.contains(unit) => Turn::Alone,
            None => Turn::Together,
        }
    }

    fn begin(&self, unit: &str) {
        at_work().insert(unit.to_owned(), Instant::now());
        if let Some(attempt) = ATTEMPT.get() {
            attempt.begin(unit);
        }
    }

    fn end(&self, unit: &str) {
        at_work().remove(unit);
        if let Some(attempt) = ATTEMPT.get() {
            attempt.end(unit);
        }
    }

    fn start_again_without(&self, units: &[String]) {
        if let Some(attempt) = ATTEMPT.get() {
            units.iter().for_each(|unit| attempt.give_up(unit));
            ends(Cause::Memory);
            interrupt::end();
        }
    }

    fn start_again_apart(&self, units: &[String]) {
        if let Some(attempt) = ATTEMPT.get() {
            units.iter().for_each(|unit| attempt.set_apart(unit));
            ends(Cause::Memory);
            interrupt::end();
        }
    }

    fn look_at_memory(&self) {
        memory::look();
    }
}
