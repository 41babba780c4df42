//! `--max-memory`: the process, Z3 included, is kept below so much memory.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::{files, interrupt, isolate};
use crate::attempts::Cause;
use dtest_engine::{memory, smt};

/// MiB where nothing else is said.
pub const DEFAULT: u64 = 2048;

/// How often the process is looked at: what runs away makes a few hundred MiB in that time.
const INTERVAL: Duration = Duration::from_millis(20);

/// The bytes below which the process is kept; zero where it is not watched.
static MOST: AtomicU64 = AtomicU64::new(0);

/// Watches the process from now on: above three quarters of `most` MiB, units at work are given up, until there is less than a half; at
/// `most` the process ends: where a unit is at work, another attempt of the run does without it ([`isolate`]), else with a message. Where the system does not tell what a process holds, only Z3 is bounded.
pub fn watch(most: u64) {
    smt::limit_memory(most / 2);
    let bytes = most << 20;
    MOST.store(bytes, Ordering::Relaxed);
    let look = move || {
        while let Some(held) = held() {
            if isolate::is_stuck() && isolate::is_attempt() {
                isolate::ends(Cause::Time);
                interrupt::end();
            }
            if held >= bytes && isolate::is_attempt() && isolate::has_unit_at_work() {
                isolate::ends(Cause::Memory);
                interrupt::end();
            }
            if held >= bytes {
                isolate::ends(Cause::Ended);
                eprintln!(
                    "error: out of memory: more than {most} MiB are needed at once [cli/memory]\n  = help: raise --max-memory, or lower --jobs"
                );
                interrupt::end();
            }
            judge(held, bytes);
            std::thread::sleep(INTERVAL);
        }
    };
    // Without it, the bounds of units hold all the same.
    let _ = std::thread::Builder::new()
        .name("memory".into())
        .spawn(look);
}

/// Looks at the process now, as [`watch`] does from time to time.
pub fn look() {
    let most = MOST.load(Ordering::Relaxed);
    if let Some(held) = held().filter(|_| most > 0) {
        judge(held, most);
    }
}

/// Says whether memory is short.
fn judge(held: u64, most: u64) {
    if held >= most / 4 * 3 {
        memory::set_short(true);
    } else if held < most / 2 {
        memory::set_short(false);
    }
}

/// Bytes that the process holds in memory.
fn held() -> Option<u64> {
    let status = files::read_text(Path::new("/proc/self/statm")).ok()?;
    // Pages have 4 KiB on most machines, and more on some: there, the count is too low, not too high.
    Some(status.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4096)
}
