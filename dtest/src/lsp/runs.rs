//! Runs of our own engine in the background: one child process each, ended when nobody wants its result any more.

use std::io::{Read, Seek};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::cli::interrupt;

/// How often it is looked whether a child has ended, or is to be ended.
const PERIOD: Duration = Duration::from_millis(10);

/// Says to a run that nobody wants its result any more.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Nobody does.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether that was said.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a run printed.
#[derive(Debug, Clone, Default)]
pub struct Output {
    /// On standard output.
    pub out: String,
    /// On standard error.
    pub err: String,
    /// Its exit code; `None`: a signal ended it.
    pub code: Option<i32>,
}

/// Runs our engine in a folder and waits for it; `None`: it was cancelled.
///
/// # Errors
/// Those of the system.
pub fn engine(
    arguments: &[String],
    folder: &Path,
    cancel: &Cancel,
) -> std::io::Result<Option<Output>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("dtest").args(arguments);
    program(command, folder, cancel)
}

/// Runs a program in a folder and waits for it; `None`: it was cancelled.
///
/// # Errors
/// Those of the system.
pub fn program(
    mut command: Command,
    folder: &Path,
    cancel: &Cancel,
) -> std::io::Result<Option<Output>> {
    // Files, so that nobody has to read while it writes.
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
        if let Some(status) = child.ended()? {
            break status;
        }
        std::thread::sleep(PERIOD);
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
