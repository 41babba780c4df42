//! `cargo-dtest`: starts the engine, a separate executable in the same directory that links Z3.
//!
//! The dynamic loader ends a program with missing libraries before its first line runs. This
//! launcher does not link Z3, so a machine without Z3 gets a helpful message and exit code 6. A
//! signal that ends one of the two processes ends the other. If the engine dies while it searches a
//! unit, the launcher starts it again without that unit ([`attempts`]).

// Shared with the library, which uses more of it.
#[allow(dead_code, reason = "the engine's part")]
mod attempts;
#[cfg(unix)]
mod signals;

use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus};

use attempts::{Cause, Plan};

/// The exit code with which ld.so and dyld report a missing library, or `None` if they are killed
/// by a signal; on Windows it is `STATUS_DLL_NOT_FOUND`.
const LOADER_FAILED: [Option<i32>; 3] = [Some(127), None, Some(0xC000_0135_u32.cast_signed())];

fn main() -> ExitCode {
    let engine = match std::env::current_exe() {
        Ok(me) => me.with_file_name(format!(
            "cargo-dtest-engine{}",
            std::env::consts::EXE_SUFFIX
        )),
        Err(e) => {
            return fail(
                &format!("cannot determine the path of this executable: {e}"),
                70,
            );
        }
    };
    #[cfg(target_os = "linux")]
    if std::env::var_os(attempts::ENDS_WITH_PARENT).is_some() {
        let _ = nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL);
    }
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let command = || {
        let mut command = Command::new(&engine);
        command
            .args(&arguments)
            .env_remove(attempts::ENDS_WITH_PARENT);
        command
    };
    match run(&command) {
        Ok(status) if LOADER_FAILED.contains(&status.code()) && !loads(&engine) => fail(
            "Z3 is missing: its library (libz3) could not be loaded [cli/z3-missing]\n  \
             = note: versions 4.8.12 and newer are supported\n  \
             = help: install it with `apt-get install libz3-4`, `brew install z3`, or build with \
             `cargo install dtest --features vendored`",
            6,
        ),
        Ok(status) => match status.code().and_then(|c| u8::try_from(c).ok()) {
            Some(code) => ExitCode::from(code),
            None => fail(&format!("the engine was terminated ({status})"), 70),
        },
        Err(e) => fail(
            &format!(
                "cannot start {}: {e}\n  = help: install both programs with `cargo install dtest`",
                engine.display()
            ),
            70,
        ),
    }
}

/// Runs the engine in as many attempts as needed. A signal that ends one of the two processes ends
/// both, and the launcher ends by the same signal, so that shells see it.
#[cfg(unix)]
fn run(command: &dyn Fn() -> Command) -> std::io::Result<ExitStatus> {
    use std::os::unix::process::ExitStatusExt;
    use std::sync::{Arc, Mutex, PoisonError, mpsc};
    use std::time::Duration;

    use nix::sys::signal::{Signal, kill, raise};
    use nix::unistd::Pid;

    /// Time for the engine to end after a signal, and time for a signal to the process group to
    /// reach the launcher too.
    const GRACE: [Duration; 2] = [Duration::from_secs(3), Duration::from_millis(300)];

    // The running engine. It is started while the lock is held, so that a signal always finds it.
    let engine: Arc<Mutex<Option<Pid>>> = Arc::default();
    let running = Arc::clone(&engine);
    let (received, signal) = mpsc::channel::<Signal>();
    signals::watch(move |signal| {
        let _ = received.send(signal);
        let id = *running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = id {
            let _ = kill(id, signal);
            std::thread::sleep(GRACE[0]);
            let _ = kill(id, Signal::SIGKILL);
        }
    });
    let journal = Journal::new();
    loop {
        let mut child = {
            let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
            let child = journal.with(command()).spawn()?;
            *engine = i32::try_from(child.id()).ok().map(Pid::from_raw);
            child
        };
        let status = child.wait()?;
        let Some(ended_by) = status.signal() else {
            return Ok(status);
        };
        if let Ok(signal) = signal.recv_timeout(GRACE[1]) {
            let _ = signals::unwatched(|| raise(signal));
            return Ok(status);
        }
        // A SIGKILL without a signal to the launcher comes from the system, which is out of memory.
        let cause = if ended_by == Signal::SIGKILL as i32 {
            Cause::Memory
        } else {
            Cause::Crash
        };
        if !journal.goes_on(cause) {
            return Ok(status);
        }
    }
}

#[cfg(not(unix))]
fn run(command: &dyn Fn() -> Command) -> std::io::Result<ExitStatus> {
    let journal = Journal::new();
    loop {
        let status = journal.with(command()).status()?;
        // The code is one of ours, or one with which Windows reports a crash.
        let is_ours = status.code().is_some_and(|c| u8::try_from(c).is_ok());
        if is_ours || LOADER_FAILED.contains(&status.code()) || !journal.goes_on(Cause::Crash) {
            return Ok(status);
        }
    }
}

/// The file in which an attempt records its units; it is removed on drop.
struct Journal(PathBuf);

impl Journal {
    fn new() -> Self {
        let folder = std::env::temp_dir();
        let path = |n: u32| folder.join(format!("cargo-dtest-{}-{n}.attempts", std::process::id()));
        // The file must be new: an existing file or link belongs to another process.
        let free = (0..64)
            .map(path)
            .find(|p| std::fs::File::create_new(p).is_ok());
        Self(free.unwrap_or_default())
    }

    /// Passes the path of the file to the command.
    fn with(&self, mut command: Command) -> Command {
        command.env(attempts::VARIABLE, &self.0);
        command
    }

    /// Whether another attempt follows one that died. Its plan is written to the file.
    fn goes_on(&self, cause: Cause) -> bool {
        let Ok(text) = std::fs::read_to_string(&self.0) else {
            return false;
        };
        Plan::after(&text, cause).is_some_and(|plan| std::fs::write(&self.0, plan.text()).is_ok())
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        if !self.0.as_os_str().is_empty() {
            let _ = std::fs::remove_file(&self.0);
            let _ = std::fs::remove_file(attempts::standard_input(&self.0));
        }
    }
}

/// Whether the engine can be started at all.
fn loads(engine: &std::path::Path) -> bool {
    Command::new(engine)
        .arg("--version")
        .output()
        .is_ok_and(|o| o.status.success())
}

fn fail(message: &str, code: u8) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(code)
}
