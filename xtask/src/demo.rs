//! The demo: generates and runs the suites of the fixtures, and shows the table.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{self, cargo, configured};
use crate::{root, z3};

/// The fixture whose hand-written Rust has a bug that a generated test must catch.
const BUGGY: &str = "hand-written";

/// Generates and runs the suites of all fixtures.
pub fn run_all(quiet: bool, config: Option<&Path>) -> Result<(), String> {
    let tool = build_with(false, config)?;
    let mut failures = Vec::new();
    for fixture in fixtures()? {
        let name = fixture
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        eprintln!("\n== fixtures/{name}");
        let mut command = Command::new(&tool);
        command.args(["dtest", "gen"]).current_dir(&fixture);
        if quiet {
            command.arg("--quiet");
        }
        process::run(&mut command)?;
        let mut test = cargo(&fixture, &["test", "--quiet"]);
        test.env("CARGO_TARGET_DIR", root().join("target/fixtures"));
        if name == BUGGY {
            expect_caught(&mut test)?;
        } else if let Err(e) = process::run(&mut test) {
            failures.push(e);
        }
    }
    if failures.is_empty() {
        Ok(())
    } else {
        Err(failures.join("\n"))
    }
}

/// Runs the task, after finding or installing Z3.
pub fn run() -> Result<(), String> {
    z3::ensure()?;
    run_all(false, None)
}

/// Builds the tool: optimized for measurements, otherwise in the configuration that the tests have
/// built.
pub fn build(release: bool) -> Result<PathBuf, String> {
    build_with(release, None)
}

fn build_with(release: bool, config: Option<&Path>) -> Result<PathBuf, String> {
    // The whole workspace is built, as for the tests, so that the features are the same and nothing
    // is rebuilt.
    let args: &[&str] = if release {
        &["--package", "dtest", "--release"]
    } else {
        &["--workspace"]
    };
    process::run(configured(config, &["build", "--quiet", "--bins"], &[]).args(args))?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    Ok(target
        .join(if release { "release" } else { "debug" })
        .join("cargo-dtest"))
}

/// Returns the packages below `fixtures`.
pub fn fixtures() -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(root().join("fixtures")).map_err(|e| e.to_string())?;
    let mut all: Vec<_> = entries
        .filter_map(Result::ok)
        .map(|e| e.path())
        .filter(|p| is_package(p))
        .collect();
    all.sort();
    Ok(all)
}

fn is_package(path: &Path) -> bool {
    path.join("Cargo.toml").is_file()
}

fn expect_caught(test: &mut Command) -> Result<(), String> {
    let output = test.output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() || !text.contains("test result: FAILED") {
        return Err(format!(
            "no generated test caught the bug of fixtures/{BUGGY}\n{text}"
        ));
    }
    eprintln!("the bug in fixtures/{BUGGY}/src/handwritten.rs was caught, as it should be:");
    let failure = text
        .lines()
        .skip_while(|l| !l.starts_with("---- "))
        .take_while(|l| !l.starts_with("failures:"));
    for line in failure.filter(|l| !l.is_empty()).take(12) {
        eprintln!("  {line}");
    }
    Ok(())
}
