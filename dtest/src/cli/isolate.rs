//! The present attempt of a run. If the process dies, the launcher starts another attempt without
//! the unit that was at work ([`crate::attempts`]).

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::{files, interrupt, memory};
use crate::attempts::{self, Attempt, Cause};
use crate::pipeline::isolation::{self, Attempts, Turn};
use dtest_ir::reason::Stopped;

/// This attempt; not set without a launcher that would start another.
static ATTEMPT: OnceLock<Attempt> = OnceLock::new();
/// The units that are being searched, with their start times.
static AT_WORK: Mutex<BTreeMap<String, Instant>> = Mutex::new(BTreeMap::new());
/// The time after which a unit that is still being searched ends the process.
static LONGEST: OnceLock<Duration> = OnceLock::new();

/// Extra time for a unit beyond its own limit: a factor, for the stages after the search, and a
/// constant.
const BEYOND: (u32, Duration) = (10, Duration::from_secs(120));

/// Reads the attempt that the launcher asks for. Must be called once, before anything is printed.
pub fn take_up() {
    if let Some(path) = std::env::var_os(attempts::VARIABLE).filter(|p| !p.is_empty()) {
        let _ = ATTEMPT.set(Attempt::of(&PathBuf::from(path)));
    }
    isolation::set(Box::new(OfLauncher));
}

/// Returns the text on standard input. It is stored for further attempts of the run, because it can be
/// read only once.
///
/// # Errors
/// Any I/O error; `InvalidData` if the text is not UTF-8.
pub fn standard_input() -> std::io::Result<String> {
    once(|| std::io::read_to_string(std::io::stdin()))
}

/// Returns what `read` returns, which takes the place of standard input: it is read once, and stored
/// for further attempts of the run. A run has only one such text.
///
/// # Errors
/// Any error of `read`, or when the text is stored.
pub fn once(read: impl FnOnce() -> std::io::Result<String>) -> std::io::Result<String> {
    static TEXT: OnceLock<String> = OnceLock::new();
    if let Some(text) = TEXT.get() {
        return Ok(text.clone());
    }
    let stored = ATTEMPT.get().map(Attempt::standard_input);
    let text = match &stored {
        Some((path, true)) if path.is_file() => files::read_text(path)?,
        Some(_) | None => {
            let text = read()?;
            if let Some((path, _)) = &stored {
                files::write_atomically(path, &text)?;
            }
            text
        }
    };
    Ok(TEXT.get_or_init(|| text).clone())
}

/// Returns a command that runs this program again, in a process of its own. It is run by the
/// launcher where there is one, so that a unit that ends the process costs only that unit.
///
/// # Errors
/// The path of this executable is unknown.
pub fn again() -> std::io::Result<Command> {
    let engine = std::env::current_exe()?;
    let launcher = engine.with_file_name(format!("cargo-dtest{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(if launcher.is_file() { launcher } else { engine });
    command
        .env_remove(attempts::VARIABLE)
        .env(attempts::ENDS_WITH_PARENT, "1");
    Ok(command)
}

/// Sets the time limit of a unit. A unit that exceeds it by far, because it does not check the
/// clock, ends the process.
pub fn limit_time(of_unit: Duration) {
    let (times, more) = BEYOND;
    let _ = LONGEST.set(of_unit.saturating_mul(times).saturating_add(more));
}

/// Whether another attempt follows if this one dies.
pub fn is_attempt() -> bool {
    ATTEMPT.get().is_some()
}

/// Records the reason why the process is about to end.
pub fn ends(cause: Cause) {
    if let Some(attempt) = ATTEMPT.get() {
        attempt.cause(cause);
    }
}

/// Whether a unit is being searched. If the process dies, the next attempt skips it.
pub fn has_unit_at_work() -> bool {
    !at_work().is_empty()
}

/// Whether a unit has exceeded its time limit by far.
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

/// The attempts of the launcher, as the engine sees them.
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
