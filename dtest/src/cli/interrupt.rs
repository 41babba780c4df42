//! What ends a run before its time: a signal, or the launcher's end.
//!
//! Nothing is cleaned up and nothing is kept of what was under way: the process is gone at once, except that a file that is being
//! replaced is replaced first.

use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
#[cfg(unix)]
use std::time::Duration;

/// Held while a file is written.
static WRITING: Mutex<()> = Mutex::new(());
/// The programs that run on our behalf, each of which leads a process group of its own.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// For how long a file may be written yet.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(1);

/// From here on the process ends by the signals that end programs, whatever it does. Call it before there are threads.
#[cfg(unix)]
pub fn watch() {
    crate::signals::watch(|_| {
        // Whoever sends a signal wants no other attempt.
        super::isolate::ends(crate::attempts::Cause::Ended);
        end();
    });
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
    end_others();
    // Other ways to end a process run code of libraries that other threads are in.
    let _ = nix::sys::signal::kill(nix::unistd::Pid::this(), nix::sys::signal::SIGKILL);
}

/// Ends all programs that run on our behalf.
pub fn end_others() {
    running().iter().copied().for_each(kill_group);
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
    let mut running = start(command)?;
    running.child.wait()
}

/// Starts a program, which ends when we do.
///
/// # Errors
/// It cannot be started.
pub fn start(command: &mut Command) -> std::io::Result<Running> {
    let mut running = running();
    #[cfg(unix)]
    let child = {
        use std::os::unix::process::CommandExt;
        command.process_group(0);
        crate::signals::unwatched(|| command.spawn())?
    };
    #[cfg(not(unix))]
    let child = command.spawn()?;
    running.push(child.id());
    Ok(Running { child })
}

/// A program that was started.
pub struct Running {
    child: Child,
}

impl Running {
    /// How it ended, if it did.
    ///
    /// # Errors
    /// Those of the system.
    pub fn ended(&mut self) -> std::io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }

    /// Ends it, with all programs that it started and that did not leave its group.
    pub fn kill(&mut self) {
        kill_group(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let id = self.child.id();
        running().retain(|other| *other != id);
    }
}

/// Ends all programs of a process group.
#[cfg(unix)]
fn kill_group(leader: u32) {
    if let Ok(id) = i32::try_from(leader) {
        let _ = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(id), nix::sys::signal::SIGKILL);
    }
}

/// There are no process groups.
#[cfg(not(unix))]
fn kill_group(_: u32) {}

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}
