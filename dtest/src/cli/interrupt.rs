//! What ends a run before its time: a signal, or the launcher's end.
//!
//! Nothing is cleaned up and nothing is kept of what was under way: the process is gone at once, except that a file that is being
//! replaced is replaced first.

use std::process::{Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
#[cfg(unix)]
use std::time::Duration;

/// Held while a file is written.
static WRITING: Mutex<()> = Mutex::new(());
/// The program that runs on our behalf, and leads a process group of its own.
static RUNNING: Mutex<Option<u32>> = Mutex::new(None);

/// For how long a file may be written yet.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(1);

/// From here on the process ends by the signals that end programs, whatever it does. Call it before there are threads.
#[cfg(unix)]
pub fn watch() {
    crate::signals::watch(|_| end());
    #[cfg(target_os = "linux")]
    {
        let _ = nix::sys::prctl::set_pdeathsig(nix::sys::signal::SIGKILL);
    }
}

/// There is nothing to do: the system ends all programs of a console.
#[cfg(not(unix))]
pub fn watch() {}

/// Ends the process, at once but for a file that is being replaced.
#[cfg(unix)]
pub fn end() {
    let start = std::time::Instant::now();
    while start.elapsed() < PATIENCE {
        if let Ok(writing) = WRITING.try_lock() {
            // Nobody gets it any more.
            std::mem::forget(writing);
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    if let Some(child) = (*running()).and_then(|id| i32::try_from(id).ok()) {
        let _ = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(child), nix::sys::signal::SIGKILL);
    }
    // Other ways to end a process run code of libraries that other threads are in.
    let _ = nix::sys::signal::kill(nix::unistd::Pid::this(), nix::sys::signal::SIGKILL);
}

/// Ends the process.
#[cfg(not(unix))]
pub fn end() {
    std::process::exit(crate::exit_code::ExitCode::Bug as i32);
}

/// Holds off the end of the process while a file is written.
pub fn writing() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a program, which ends when we do.
///
/// # Errors
/// It cannot be started.
pub fn run(command: &mut Command) -> std::io::Result<ExitStatus> {
    let mut running = running();
    #[cfg(unix)]
    let mut child = {
        use std::os::unix::process::CommandExt;
        command.process_group(0);
        crate::signals::unwatched(|| command.spawn())?
    };
    #[cfg(not(unix))]
    let mut child = command.spawn()?;
    *running = Some(child.id());
    drop(running);
    let status = child.wait();
    *self::running() = None;
    status
}

fn running() -> MutexGuard<'static, Option<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}
