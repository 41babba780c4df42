//! Signals that end the program, received by a dedicated thread.
//!
//! They are blocked in every other thread: Z3 installs its own handlers while it works, which would
//! end only its query, and the program would continue with an incomplete result. The launcher and
//! the engine both use this file; the launcher does not link Z3.

use nix::sys::signal::{SigSet, Signal};

/// The signals with which terminals, supervisors and shells end programs.
const ENDING: [Signal; 4] = [
    Signal::SIGINT,
    Signal::SIGTERM,
    Signal::SIGHUP,
    Signal::SIGQUIT,
];

/// Blocks the signals in this thread and in the threads and processes that it starts, and calls
/// `received` in a separate thread when the first of them arrives. Signals that the parent process
/// ignores (`nohup`, a shell's `&`) stay ignored.
pub fn watch(received: impl FnOnce(Signal) + Send + 'static) {
    let signals = watched();
    if signals.thread_block().is_err() {
        return;
    }
    let wait = move || {
        if let Ok(signal) = signals.wait() {
            received(signal);
        }
    };
    if std::thread::Builder::new()
        .name("signals".into())
        .spawn(wait)
        .is_err()
    {
        // Without the thread, the default action of the signals is better than none.
        let _ = signals.thread_unblock();
    }
}

/// Runs `work` with the default treatment of signals in this thread, which processes started by it
/// inherit.
pub fn unwatched<T>(work: impl FnOnce() -> T) -> T {
    let signals = watched();
    let is_blocked =
        SigSet::thread_get_mask().is_ok_and(|mask| signals.iter().any(|s| mask.contains(s)));
    let _ = signals.thread_unblock();
    let result = work();
    if is_blocked {
        let _ = signals.thread_block();
    }
    result
}

fn watched() -> SigSet {
    let ignored = ignored();
    ENDING
        .into_iter()
        .filter(|s| ignored & (1 << (*s as i32 - 1)) == 0)
        .collect()
}

/// The ignored signals as a bit set. Systems other than Linux do not report it; an ignored signal
/// then stays ignored only by accident of the system.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    line.and_then(|l| u64::from_str_radix(l.trim(), 16).ok())
        .unwrap_or(0)
}
