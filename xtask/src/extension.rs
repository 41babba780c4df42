//! The checks of the extension for VS Code: types, lints, licences and unit tests, if npm is
//! installed.

use std::path::Path;
use std::process::Command;

use crate::process;
use crate::root;

/// The oldest Node.js that builds it: `engines` in its manifest.
const NODE: (u32, u32) = (20, 15);

/// The error codes of npm if it cannot reach the registry.
const NO_NETWORK: [&str; 10] = [
    "ENOTCACHED",
    "ENOTFOUND",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ECONNRESET",
    "ENETUNREACH",
    "EHOSTUNREACH",
    "ETIMEDOUT",
    "EIDLETIMEOUT",
    "ERR_SOCKET_TIMEOUT",
];

/// Checks the extension. If npm is missing or too old, or cannot download the dependencies, a
/// message says so and nothing is checked.
///
/// # Errors
/// A failed check; dependencies that do not agree with the lock file.
pub fn check() -> Result<(), String> {
    let directory = root().join("editors/code");
    let reason = match node() {
        None => Some("npm is not installed".to_owned()),
        Some(version) if version < NODE => {
            Some(format!("Node.js is older than {}.{}", NODE.0, NODE.1))
        }
        Some(_) => install(&directory)?,
    };
    if let Some(reason) = reason {
        eprintln!("not checked: the extension for VS Code (editors/code), because {reason}");
        return Ok(());
    }
    for script in ["check", "lint", "licences", "test"] {
        process::run(npm(&directory).args(["run", "--silent", script]))?;
    }
    Ok(())
}

/// Returns the version of Node.js, if npm is installed too.
fn node() -> Option<(u32, u32)> {
    let is_there = process::succeeds(npm(Path::new(".")).arg("--version"));
    let output = Command::new("node")
        .arg("--version")
        .output()
        .ok()
        .filter(|_| is_there)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut parts = text
        .trim()
        .strip_prefix('v')?
        .split('.')
        .map(|part| part.parse::<u32>().ok());
    Some((parts.next()??, parts.next()??))
}

/// Installs the dependencies of the lock file, unless they are up to date. Returns the reason if
/// the network prevents it.
fn install(directory: &Path) -> Result<Option<String>, String> {
    let time = |path: &str| {
        std::fs::metadata(directory.join(path))
            .and_then(|m| m.modified())
            .ok()
    };
    if time("node_modules/.package-lock.json")
        .is_some_and(|installed| time("package-lock.json").is_some_and(|lock| lock <= installed))
    {
        return Ok(None);
    }
    // Cached packages are used without a request; others get one attempt.
    let mut command = npm(directory);
    command.args([
        "ci",
        "--prefer-offline",
        "--no-audit",
        "--no-fund",
        "--fetch-retries=0",
        "--fetch-timeout=20000",
    ]);
    eprintln!("$ npm ci");
    let output = command
        .output()
        .map_err(|e| format!("cannot run npm: {e}"))?;
    if output.status.success() {
        return Ok(None);
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    match NO_NETWORK.iter().find(|code| said.contains(**code)) {
        Some(code) => Ok(Some(format!(
            "the registry of npm cannot be reached ({code}) and its packages are not kept here"
        ))),
        None => Err(format!("`npm ci` in editors/code failed:\n{said}")),
    }
}

fn npm(directory: &Path) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(directory);
    command
}
