//! Runs of the engine in the background, each in a child process that is killed when its result is
//! no longer needed.

use std::io::{Read, Seek};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::cli::{interrupt, isolate};

/// Interval between two polls of a child process.
const PERIOD: Duration = Duration::from_millis(10);

/// A flag that cancels a run.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Cancels the run.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the run is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The output of a run.
#[derive(Debug, Clone, Default)]
pub struct Output {
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// The exit code; `None` if a signal ended the process.
    pub code: Option<i32>,
}

/// Runs the engine in a directory and waits for it; `None` if the run was cancelled.
///
/// # Errors
/// Any error of the system.
pub fn engine(
    arguments: &[String],
    folder: &Path,
    cancel: &Cancel,
) -> std::io::Result<Option<Output>> {
    let mut command = isolate::again()?;
    command.arg("dtest").args(arguments);
    program(command, folder, cancel)
}

/// Runs a program in a directory and waits for it; `None` if the run was cancelled.
///
/// # Errors
/// Any error of the system.
pub fn program(
    mut command: Command,
    folder: &Path,
    cancel: &Cancel,
) -> std::io::Result<Option<Output>> {
    // With files instead of pipes, no thread has to read while the child writes.
    let (mut out, mut err) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(out.try_clone()?)
        .stderr(err.try_clone()?);
    let mut child = interrupt::start(&mut command)?;
    let status = loop {
        if cancel.is_cancelled() {
            child.kill();
            return Ok(None);
        }
        if let Some(status) = child.wait(PERIOD)? {
            break status;
        }
    };
    let text = |file: &mut std::fs::File| -> std::io::Result<String> {
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    Ok(Some(Output {
        out: text(&mut out)?,
        err: text(&mut err)?,
        code: status.code(),
    }))
}
