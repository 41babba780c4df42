//! `--max-memory`: limits the memory of the process, including Z3.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::{files, interrupt, isolate};
use crate::attempts::Cause;
use dtest_limits::memory;
use dtest_smt as smt;

/// Default limit in MiB.
pub const DEFAULT: u64 = 2048;

/// Interval between two measurements. A runaway allocation grows by a few hundred MiB in this time.
const INTERVAL: Duration = Duration::from_millis(20);

/// The limit in bytes; zero if memory is not watched.
static MOST: AtomicU64 = AtomicU64::new(0);

/// Starts the watchdog. Above three quarters of `most` MiB, running units are abandoned until less
/// than a half is used. At `most` MiB the process ends: if a unit is at work, the launcher starts
/// another attempt without it ([`isolate`]), otherwise with a message. If the system does not
/// report the memory of a process, only Z3 is limited.
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
    // Without the thread, the bounds of units still apply.
    let _ = std::thread::Builder::new()
        .name("memory".into())
        .spawn(look);
}

/// Measures the process once, as the watchdog does regularly.
pub fn look() {
    let most = MOST.load(Ordering::Relaxed);
    if let Some(held) = held().filter(|_| most > 0) {
        judge(held, most);
    }
}

/// Sets or clears the flag that memory is short. The gap between the two thresholds avoids
/// oscillation.
fn judge(held: u64, most: u64) {
    if held >= most / 4 * 3 {
        memory::set_short(true);
    } else if held < most / 2 {
        memory::set_short(false);
    }
}

/// The resident memory of the process in bytes.
fn held() -> Option<u64> {
    let status = files::read_text(Path::new("/proc/self/statm")).ok()?;
    // Pages have 4 KiB on most machines. If they are larger, the result is too low, so that no run
    // is ended too early.
    Some(status.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4096)
}
