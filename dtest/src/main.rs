//! `cargo-dtest`: starts the engine, which stands beside this program and links Z3.
//!
//! The dynamic loader ends a program whose libraries are missing before its first line runs. This
//! launcher links no Z3, so that a machine without it gets a message that helps, and exit code 6.
//! What ends one of the two ends the other.

#[cfg(unix)]
mod signals;

use std::process::{Command, ExitCode, ExitStatus};

/// What ld.so and dyld exit with, or are killed by, when a library is missing; on Windows it is `STATUS_DLL_NOT_FOUND`.
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
    match run(Command::new(&engine).args(std::env::args_os().skip(1))) {
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

/// Runs the engine to its end. A signal that ends programs, whether it is for both or for us alone, ends both, and us by itself, so that
/// shells know.
#[cfg(unix)]
fn run(command: &mut Command) -> std::io::Result<ExitStatus> {
    use std::os::unix::process::ExitStatusExt;
    use std::sync::mpsc;
    use std::time::Duration;

    use nix::sys::signal::{Signal, kill, raise};
    use nix::unistd::Pid;

    /// How long the engine may take to end, and a signal for both to come to us too.
    const PATIENCE: [Duration; 2] = [Duration::from_secs(3), Duration::from_millis(300)];

    let (tell, engine) = mpsc::channel::<i32>();
    let (received, signal) = mpsc::channel::<Signal>();
    signals::watch(move |signal| {
        let _ = received.send(signal);
        if let Ok(id) = engine.recv() {
            let _ = kill(Pid::from_raw(id), signal);
            std::thread::sleep(PATIENCE[0]);
            let _ = kill(Pid::from_raw(id), Signal::SIGKILL);
        }
    });
    let mut child = command.spawn()?;
    if let Ok(id) = i32::try_from(child.id()) {
        let _ = tell.send(id);
    }
    let status = child.wait()?;
    if status.signal().is_some()
        && let Ok(signal) = signal.recv_timeout(PATIENCE[1])
    {
        let _ = signals::unwatched(|| raise(signal));
    }
    Ok(status)
}

#[cfg(not(unix))]
fn run(command: &mut Command) -> std::io::Result<ExitStatus> {
    command.status()
}

/// Whether the engine starts at all.
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
