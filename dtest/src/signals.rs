//! The signals that end the program, received by a thread that waits for them.
//!
//! They are blocked in every other thread: Z3 installs handlers of its own while it works, which would end its query and leave the rest
//! of the program running on what that query did not find. Both programs use this file: the launcher links no Z3.

use nix::sys::signal::{SigSet, Signal};

/// What a terminal, a supervisor or a shell ends programs with.
const ENDING: [Signal; 4] = [
    Signal::SIGINT,
    Signal::SIGTERM,
    Signal::SIGHUP,
    Signal::SIGQUIT,
];

/// Blocks the signals in this thread, and in those and the programs that it starts, and calls `received` in a thread of its own when
/// the first of them comes. Those that whoever started us had us ignore (`nohup`, a shell's `&`) stay ignored.
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
        // Better the signals' own effect than none.
        let _ = signals.thread_unblock();
    }
}

/// Does something with the signals as they are by default, for this thread: what it starts begins with them so.
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

/// The signals that are ignored, a bit each. Where the system does not tell (it does on Linux), an ignored signal is none even when it
/// is waited for.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    line.and_then(|l| u64::from_str_radix(l.trim(), 16).ok())
        .unwrap_or(0)
}
