//! `cargo xtask mutation-score`: the share of mutants of a translation that its generated suite
//! kills.
//!
//! Each fixture, or each named directory of Dafny files, becomes a package with the translation as
//! its library and the suite as its only tests; cargo-mutants mutates the library in one place at a
//! time and runs the suite.
//!
//! The translation also contains code without a text in the Dafny program: discriminators,
//! destructors and printed forms of datatypes, other derived code, and specification functions,
//! which only clauses call; and the code of included files. Mutants there count in the score of all
//! code; a second score leaves out derived and included code.
//!
//! Each survivor is explained by a line of `fixtures/survivors.toml`, or it is a hole in the suite.

mod explain;
mod outcomes;
mod package;
mod table;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use self::explain::Explanations;
use self::outcomes::{Parts, counts};
use self::package::{Subject, generate, subjects, tests};
use crate::process::{self, cargo};
use crate::{demo, root, z3};

/// The version of cargo-mutants that is installed if there is none.
const VERSION: &str = "27.1.0";

#[derive(clap::Args)]
pub struct Args {
    /// Directories of Dafny files, each one program, or packages with a dtest.toml [default: the
    /// fixtures]
    folders: Vec<PathBuf>,
    /// Only use fixtures with these names
    #[arg(long)]
    fixture: Vec<String>,
    /// Coverage criteria; several times for several columns
    #[arg(long, default_values = ["block", "block,boundary"])]
    coverage: Vec<String>,
    /// Further arguments of `gen`, for example `--minimize=optimal`
    #[arg(long, allow_hyphen_values = true)]
    r#gen: Vec<String>,
    /// Time limit of a mutant in seconds
    #[arg(long, default_value_t = 5)]
    timeout: u32,
    /// Test only this share of the mutants, such as 0/4: every fourth
    #[arg(long)]
    shard: Option<String>,
    /// Number of programs measured in parallel [default: number of processors]
    #[arg(long)]
    jobs: Option<usize>,
    /// Use this `cargo-dtest` instead of building one
    #[arg(long)]
    tool: Option<PathBuf>,
}

/// The result of one program with one criterion.
struct Score {
    subject: String,
    coverage: String,
    tests: usize,
    parts: Parts,
}

/// Runs the measurement, and prints survivors and scores. Returns an error if a program could not
/// be measured, or if an explanation is about a mutant that does not survive. Unexplained survivors
/// are listed, and are not an error.
pub fn run(args: &Args) -> Result<(), String> {
    z3::ensure()?;
    let mutants = ensure_cargo_mutants()?;
    let tool = args.tool.clone().map_or_else(|| demo::build(false), Ok)?;
    let subjects = subjects(args)?;
    let explanations = Explanations::read(&root().join("fixtures/survivors.toml"))?;
    let queue = subjects
        .iter()
        .flat_map(|s| args.coverage.iter().map(move |c| (s, c.as_str())));
    let (scores, failures) = measure(queue.collect(), &tool, &mutants, args);
    print!("{}", table::render(&scores, &args.coverage, &explanations));
    if scores.is_empty() {
        return Err("nothing was measured".into());
    }
    // A sample of the mutants, or a single criterion, does not determine the survivors.
    let whole = args.shard.is_none() && args.r#gen.is_empty() && args.coverage.len() > 1;
    let stale = if whole {
        explanations.stale(&scores)
    } else {
        Vec::new()
    };
    let stale = stale
        .iter()
        .map(|s| format!("fixtures/survivors.toml explains what does not survive: {s}"));
    let errors: Vec<String> = failures.into_iter().chain(stale).collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors.join("\nerror: "))
    }
}

/// Measures the queued programs in parallel: each worker has its own target directory, so that
/// cargo processes do not wait for each other. Returns the scores in the order of the queue, and
/// the programs that could not be measured.
fn measure(
    queue: Vec<(&Subject, &str)>,
    tool: &Path,
    mutants: &Path,
    args: &Args,
) -> (Vec<Score>, Vec<String>) {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let queue: Mutex<VecDeque<_>> = Mutex::new(queue.into_iter().enumerate().collect());
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for worker in 0..args.jobs.unwrap_or(processors).max(1) {
            let (queue, results) = (&queue, &results);
            scope.spawn(move || {
                let target = root().join(format!("target/mutation/target-{worker}"));
                let next = || {
                    queue
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .pop_front()
                };
                while let Some((place, (subject, coverage))) = next() {
                    let result = score(subject, coverage, tool, mutants, &target, args);
                    let result =
                        result.map_err(|e| format!("{} with {coverage}: {e}", subject.name));
                    results
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push((place, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(place, _)| *place);
    let (mut scores, mut failures) = (Vec::new(), Vec::new());
    for (_, result) in results {
        match result {
            Ok(score) => scores.push(score),
            Err(e) => failures.push(e),
        }
    }
    (scores, failures)
}

/// Returns the executable of `cargo-mutants`, which is installed below `target` if the system has
/// none.
fn ensure_cargo_mutants() -> Result<PathBuf, String> {
    let own = root().join("target/tools");
    for candidate in [
        PathBuf::from("cargo-mutants"),
        own.join("bin/cargo-mutants"),
    ] {
        if process::succeeds(Command::new(&candidate).args(["mutants", "--version"])) {
            return Ok(candidate);
        }
    }
    let mut install = cargo(
        &root(),
        &[
            "install",
            "cargo-mutants",
            "--locked",
            "--version",
            VERSION,
            "--root",
        ],
    );
    process::run(install.arg(&own))?;
    Ok(own.join("bin/cargo-mutants"))
}

/// Creates the package of `subject`, and runs cargo-mutants on it.
fn score(
    subject: &Subject,
    coverage: &str,
    tool: &Path,
    mutants: &Path,
    target: &Path,
    args: &Args,
) -> Result<Score, String> {
    let package = root()
        .join("target/mutation")
        .join(&subject.name)
        .join(coverage.replace(',', "-"));
    if package.exists() {
        std::fs::remove_dir_all(&package)
            .map_err(|e| format!("cannot remove {}: {e}", package.display()))?;
    }
    std::fs::create_dir_all(&package)
        .map_err(|e| format!("cannot make {}: {e}", package.display()))?;
    generate(subject, coverage, &package, tool, &args.r#gen)?;
    let mut command = Command::new(mutants);
    command
        .arg("mutants")
        .args([
            "--in-place",
            "--no-shuffle",
            "--no-times",
            "--colors=never",
            "--dir",
        ])
        .arg(&package);
    command.args(["--timeout", &args.timeout.to_string()]);
    // The sample covers every function, not only the first ones.
    command.args(
        args.shard
            .iter()
            .flat_map(|s| ["--sharding", "round-robin", "--shard", s]),
    );
    // Only the suite is built and run, without debug information.
    command
        .arg("--cargo-arg=--test=dtest")
        .env("CARGO_TARGET_DIR", target);
    command
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_PROFILE_TEST_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "1");
    let output = command
        .output()
        .map_err(|e| format!("cannot run cargo-mutants: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    // Survivors (2) and timeouts (3) are results of the measurement, not errors.
    match output.status.code() {
        Some(0 | 2 | 3) => {}
        Some(_) | None => {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!(
                "cargo-mutants ended with {}\n{text}{said}",
                output.status
            ));
        }
    }
    eprintln!(
        "{} with {coverage}: {}",
        subject.name,
        text.lines().last().unwrap_or_default()
    );
    let outcomes = package.join("mutants.out/outcomes.json");
    let text = std::fs::read_to_string(&outcomes)
        .map_err(|e| format!("cannot read {}: {e}", outcomes.display()))?;
    let parts = counts(&text, &package, subject.sources(&package))?;
    Ok(Score {
        subject: subject.name.clone(),
        coverage: coverage.to_owned(),
        tests: tests(&package),
        parts,
    })
}
