//! Running other programs.

use std::path::Path;
use std::process::Command;

use crate::root;

/// A `cargo` command in `directory`.
pub fn cargo(directory: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(directory);
    // Set by cargo for us; it would make the inner cargo use our package's directory.
    for name in [
        "CARGO_MANIFEST_DIR",
        "CARGO_MANIFEST_PATH",
        "CARGO_PKG_NAME",
    ] {
        command.env_remove(name);
    }
    command
}

/// A `cargo` command on the workspace; with a file of cargo's configuration, which the commands that it starts do not have.
pub fn configured(config: Option<&Path>, subcommand: &[&str], args: &[&str]) -> Command {
    let mut command = cargo(&root(), subcommand);
    if let Some(file) = config {
        command.arg("--config").arg(file);
    }
    command.args(args);
    command
}

/// Runs it with its output shown.
pub fn run(command: &mut Command) -> Result<(), String> {
    let line = show(command);
    eprintln!("$ {line}");
    match command.status() {
        Ok(s) if s.success() => Ok(()),
        Ok(s) => Err(format!("`{line}` failed: {s}")),
        Err(e) => Err(format!("cannot run `{line}`: {e}")),
    }
}

/// Whether it can be run and succeeds, silently.
pub fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|o| o.status.success())
}

/// The system that programs are built for here, as rustc names it.
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
