//! Running of other programs.

use std::path::Path;
use std::process::Command;

use crate::root;

/// Returns a `cargo` command in `directory`.
pub fn cargo(directory: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(directory);
    // Cargo sets these variables for this process; they would make the inner cargo use our
    // package's directory.
    for name in [
        "CARGO_MANIFEST_DIR",
        "CARGO_MANIFEST_PATH",
        "CARGO_PKG_NAME",
    ] {
        command.env_remove(name);
    }
    command
}

/// Returns a `cargo` command on the workspace, with an optional configuration file, which the
/// commands that it starts do not inherit.
pub fn configured(config: Option<&Path>, subcommand: &[&str], args: &[&str]) -> Command {
    let mut command = cargo(&root(), subcommand);
    if let Some(file) = config {
        command.arg("--config").arg(file);
    }
    command.args(args);
    command
}

/// Runs a command and shows its output.
pub fn run(command: &mut Command) -> Result<(), String> {
    let line = show(command);
    eprintln!("$ {line}");
    match command.status() {
        Ok(s) if s.success() => Ok(()),
        Ok(s) => Err(format!("`{line}` failed: {s}")),
        Err(e) => Err(format!("cannot run `{line}`: {e}")),
    }
}

/// Whether a command can be run and succeeds. Its output is hidden.
pub fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|o| o.status.success())
}

/// Returns the host platform, as rustc names it.
pub fn host() -> Result<String, String> {
    let output = Command::new("rustc")
        .arg("-vV")
        .output()
        .map_err(|e| format!("cannot run rustc: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines()
        .find_map(|l| l.strip_prefix("host: "))
        .map(str::to_owned)
        .ok_or_else(|| "rustc does not say its host".to_owned())
}

fn show(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(|w| w.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ")
}
