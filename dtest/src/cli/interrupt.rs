//! Termination of the process by a signal or by the end of the launcher.
//!
//! The process ends at once, without cleanup: only a file that is being replaced is completed
//! first. Child processes lead process groups of their own, and are killed with the process.

use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use wait_timeout::ChildExt;

/// Held while a file is written, so that the process does not end in between.
static WRITING: Mutex<()> = Mutex::new(());
/// The process ids of the running child processes, each of which leads its own process group.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Maximum time that the end of the process waits for a file to be written.
#[cfg(unix)]
const MAX_WAIT: Duration = Duration::from_secs(1);

/// Installs the watcher for terminating signals. Must be called before other threads exist, because
/// they inherit the blocked signals.
#[cfg(unix)]
pub fn watch() {
    crate::signals::watch(|_| {
        // A run that is ended by a signal must not be restarted by the launcher.
        super::isolate::ends(crate::attempts::Cause::Ended);
        end();
    });
    #[cfg(target_os = "linux")]
    {
        let _ = nix::sys::prctl::set_pdeathsig(nix::sys::signal::SIGKILL);
    }
}

/// Does nothing: the system ends all programs of a console together.
#[cfg(not(unix))]
pub fn watch() {}

/// Kills the process, after completing a file that is being replaced.
#[cfg(unix)]
pub fn end() {
    let start = std::time::Instant::now();
    while start.elapsed() < MAX_WAIT {
        if let Ok(writing) = WRITING.try_lock() {
            // The lock is never released, so that no other write begins.
            std::mem::forget(writing);
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    end_others();
    // Other ways to end a process run exit handlers of libraries while other threads still use
    // them.
    let _ = nix::sys::signal::kill(nix::unistd::Pid::this(), nix::sys::signal::SIGKILL);
}

/// Kills all child processes.
pub fn end_others() {
    running().iter().copied().for_each(kill_group);
}

/// Ends the process.
#[cfg(not(unix))]
pub fn end() {
    std::process::exit(crate::exit_code::ExitCode::Bug as i32);
}

/// Returns a guard that delays the end of the process while a file is written.
pub fn writing() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a program that is killed when this process ends.
///
/// # Errors
/// The program cannot be started.
pub fn run(command: &mut Command) -> std::io::Result<ExitStatus> {
    let mut running = start(command)?;
    running.child.wait()
}

/// Starts a program that is killed when this process ends.
///
/// # Errors
/// The program cannot be started.
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

/// A running child process.
pub struct Running {
    child: Child,
}

impl Running {
    /// Waits until the process ends, at most for `limit`. Returns its exit status, or `None` if it
    /// is still running.
    ///
    /// # Errors
    /// Any error of the system call.
    pub fn wait(&mut self, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
        self.child.wait_timeout(limit)
    }

    /// Kills the process and all processes of its group.
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

/// Kills all processes of a process group.
#[cfg(unix)]
fn kill_group(leader: u32) {
    if let Ok(id) = i32::try_from(leader) {
        let _ = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(id), nix::sys::signal::SIGKILL);
    }
}

/// Does nothing: there are no process groups.
#[cfg(not(unix))]
fn kill_group(_: u32) {}

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}
