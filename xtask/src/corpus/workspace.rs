//! Many generated packages as one workspace, which are compiled together; a package that does not
//! compile does not affect the others.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::process::cargo;

/// The packages that compile, and the others with their first errors.
#[derive(Default)]
pub struct Built {
    pub good: Vec<String>,
    pub bad: BTreeMap<String, Vec<String>>,
}

/// Returns the target directory of the workspace at `out`, a sibling that is kept between runs.
pub fn target(out: &Path) -> PathBuf {
    let name = out
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    out.with_file_name(format!("{name}-target"))
}

/// Returns a `cargo` command in the workspace.
pub fn command(out: &Path, args: &[&str]) -> Command {
    let mut command = cargo(out, args);
    command
        .env("CARGO_TARGET_DIR", target(out))
        .env("RUSTFLAGS", "-Awarnings");
    command
}

/// Compiles the targets of all packages that `targets` selects.
///
/// # Errors
/// The build fails for a reason outside of the packages.
pub fn build(out: &Path, packages: Vec<String>, targets: &str) -> Result<Built, String> {
    let mut built = Built {
        good: packages,
        bad: BTreeMap::new(),
    };
    // A package that does not compile is removed, and the rest is built again, until all compile.
    loop {
        write(out, &built.good)?;
        if built.good.is_empty() {
            return Ok(built);
        }
        let mut build = command(
            out,
            &[
                "build",
                "--workspace",
                targets,
                "--quiet",
                "--keep-going",
                "--message-format",
                "short",
            ],
        );
        let output = build.output().map_err(|e| e.to_string())?;
        if output.status.success() {
            return Ok(built);
        }
        let stderr = String::from_utf8_lossy(&output.stderr);
        let (bad, good) = built
            .good
            .into_iter()
            .partition::<Vec<_>, _>(|m| stderr.contains(&format!("could not compile `{m}`")));
        if bad.is_empty() {
            return Err(format!(
                "the packages do not build:\n{}",
                stderr.lines().take(20).collect::<Vec<_>>().join("\n")
            ));
        }
        built.good = good;
        for package in bad {
            let prefix = format!("{package}/");
            let errors = stderr
                .lines()
                .filter(|l| l.starts_with(&prefix) && l.contains("error"));
            let errors = errors
                .take(5)
                .map(|l| l.strip_prefix(&prefix).unwrap_or(l).to_owned())
                .collect();
            built.bad.insert(package, errors);
        }
    }
}

fn write(out: &Path, members: &[String]) -> Result<(), String> {
    let list = members
        .iter()
        .map(|m| format!("    \"{m}\",\n"))
        .collect::<String>();
    let text = format!(
        "[workspace]\nresolver = \"3\"\nmembers = [\n{list}]\n\n[profile.dev]\ndebug = false\nincremental = false\n"
    );
    std::fs::write(out.join("Cargo.toml"), text).map_err(|e| e.to_string())
}

/// Applies `f` to each item on all processors. Results are in the order of the items.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else {
                return done;
            };
            done.push((at, f(item)));
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let mut all: Vec<(usize, R)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        handles
            .into_iter()
            .flat_map(|h| h.join().unwrap_or_default())
            .collect()
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..100).collect();
        assert_eq!(
            super::in_parallel(&items, |i| i * 2),
            items.iter().map(|i| i * 2).collect::<Vec<_>>()
        );
    }
}
