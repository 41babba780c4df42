//! `cargo xtask mutation-score`: how many bugs that are put into a translation its generated suite catches.
//!
//! Each fixture, or each folder of Dafny files that is named, becomes a package with the translation as its library and
//! the suite as its only tests; cargo-mutants changes the library in one place after the other and runs the suite.
//!
//! The translation also holds code that the Dafny program has no text for: discriminators, destructors and printed forms of
//! datatypes, what else is derived, and specification functions, which only the clauses call. A mutant there counts in the
//! score of all code; a second score leaves it out.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::process::{self, cargo};
use crate::{demo, root, z3};

/// The version of cargo-mutants that is installed where there is none.
const VERSION: &str = "27.1.0";

/// Where suites run against hand-written Rust there is no translation to change.
const WITHOUT_TRANSLATION: &[&str] = &["hand-written"];

#[derive(clap::Args)]
pub struct Args {
    /// Folders of Dafny files, each one program, or packages with a dtest.toml [default: the fixtures]
    folders: Vec<PathBuf>,
    /// Only fixtures of these names
    #[arg(long)]
    fixture: Vec<String>,
    /// What to cover; several times for several columns
    #[arg(long, default_values = ["block", "block,boundary"])]
    coverage: Vec<String>,
    /// Further arguments of `gen`, for example `--minimize=optimal`
    #[arg(long, allow_hyphen_values = true)]
    r#gen: Vec<String>,
    /// Seconds after which a mutant that does not end counts as timed out
    #[arg(long, default_value_t = 20)]
    timeout: u32,
    /// Test only this share of the mutants, such as 0/4
    #[arg(long)]
    shard: Option<String>,
}

/// One program by one criterion.
struct Score {
    subject: String,
    coverage: String,
    tests: usize,
    /// Of code that the Dafny program has a text for.
    written: Counts,
    /// Of what is derived.
    derived: Counts,
}

/// What cargo-mutants found.
#[derive(Default, Clone)]
struct Counts {
    caught: usize,
    timed_out: usize,
    unviable: usize,
    /// The mutants that no test noticed, in words.
    missed: Vec<String>,
}

impl Counts {
    fn viable(&self) -> usize {
        self.caught + self.timed_out + self.missed.len()
    }

    /// The share of viable mutants that are noticed: by a failing test, or by one that does not end.
    fn percent(&self) -> f64 {
        if self.viable() == 0 { 100.0 } else { 100.0 * (self.caught + self.timed_out) as f64 / self.viable() as f64 }
    }

    fn add(&mut self, other: &Self) {
        self.caught += other.caught;
        self.timed_out += other.timed_out;
        self.unviable += other.unviable;
        self.missed.extend(other.missed.iter().cloned());
    }
}

pub fn run(args: &Args) -> Result<(), String> {
    z3::ensure()?;
    let mutants = ensure_cargo_mutants()?;
    let tool = demo::build(false)?;
    let mut scores = Vec::new();
    for subject in subjects(args)? {
        for coverage in &args.coverage {
            match score(&subject, coverage, &tool, &mutants, args) {
                Ok(score) => scores.push(score),
                Err(e) => eprintln!("{} with {coverage}: {e}", subject.name),
            }
        }
    }
    print!("{}", table(&scores, &args.coverage));
    if scores.is_empty() { Err("nothing was measured".into()) } else { Ok(()) }
}

/// A program to measure.
struct Subject {
    name: String,
    folder: PathBuf,
    /// Whether it is a package of its own.
    is_package: bool,
}

fn subjects(args: &Args) -> Result<Vec<Subject>, String> {
    let of = |folder: PathBuf| {
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_package = folder.join("Cargo.toml").is_file();
        Subject { name, folder, is_package }
    };
    if !args.folders.is_empty() {
        return Ok(args.folders.iter().cloned().map(of).collect());
    }
    let all = demo::fixtures()?.into_iter().map(of);
    let wanted = |s: &Subject| args.fixture.is_empty() || args.fixture.contains(&s.name);
    Ok(all.filter(|s| !WITHOUT_TRANSLATION.contains(&s.name.as_str()) && wanted(s)).collect())
}

/// The program `cargo-mutants`, installed below `target` where the system has none.
fn ensure_cargo_mutants() -> Result<PathBuf, String> {
    let own = root().join("target/tools");
    for candidate in [PathBuf::from("cargo-mutants"), own.join("bin/cargo-mutants")] {
        if process::succeeds(Command::new(&candidate).args(["mutants", "--version"])) {
            return Ok(candidate);
        }
    }
    let mut install = cargo(&root(), &["install", "cargo-mutants", "--locked", "--version", VERSION, "--root"]);
    process::run(install.arg(&own))?;
    Ok(own.join("bin/cargo-mutants"))
}

fn score(subject: &Subject, coverage: &str, tool: &Path, mutants: &Path, args: &Args) -> Result<Score, String> {
    let package = root().join("target/mutation").join(&subject.name).join(coverage.replace(',', "-"));
    if package.exists() {
        std::fs::remove_dir_all(&package).map_err(|e| format!("cannot remove {}: {e}", package.display()))?;
    }
    std::fs::create_dir_all(&package).map_err(|e| format!("cannot make {}: {e}", package.display()))?;
    generate(subject, coverage, &package, tool, args)?;
    let mut command = Command::new(mutants);
    command.arg("mutants").args(["--in-place", "--no-shuffle", "--no-times", "--colors=never", "--dir"]).arg(&package);
    command.args(["--timeout", &args.timeout.to_string()]);
    command.args(args.shard.iter().flat_map(|s| ["--shard", s]));
    // Nothing but the suite, without what only debuggers need.
    command.args(["--", "--test", "dtest"]);
    command.env("CARGO_TARGET_DIR", root().join("target/mutation/target")).env("CARGO_PROFILE_DEV_DEBUG", "0");
    command.env("CARGO_PROFILE_TEST_DEBUG", "0").env("CARGO_INCREMENTAL", "1");
    eprintln!("== {} with {coverage}", subject.name);
    let status = command.status().map_err(|e| format!("cannot run cargo-mutants: {e}"))?;
    // Mutants that were missed (2) and such as did not end (3) are what is measured.
    match status.code() {
        Some(0 | 2 | 3) => {}
        Some(_) | None => return Err(format!("cargo-mutants ended with {status}")),
    }
    let outcomes = package.join("mutants.out/outcomes.json");
    let text = std::fs::read_to_string(&outcomes).map_err(|e| format!("cannot read {}: {e}", outcomes.display()))?;
    let (written, derived) = counts(&text, &package)?;
    Ok(Score { subject: subject.name.clone(), coverage: coverage.to_owned(), tests: tests(&package), written, derived })
}

fn generate(subject: &Subject, coverage: &str, package: &Path, tool: &Path, args: &Args) -> Result<(), String> {
    let mut command = Command::new(tool);
    command.args(["dtest", "gen", "--quiet", "--coverage", coverage]).args(&args.r#gen);
    if subject.is_package {
        copy_sources(&subject.folder, package)?;
        command.current_dir(package);
    } else {
        let manifest = format!(
            "[package]\nname = \"subject\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[workspace]\n\n[dependencies]\n\
             dunit = {{ path = {:?} }}\n",
            root().join("dunit")
        );
        std::fs::write(package.join("Cargo.toml"), manifest).map_err(|e| e.to_string())?;
        command.arg(&subject.folder).arg("--out").arg(package).current_dir(package);
    }
    let status = command.status().map_err(|e| format!("cannot run cargo-dtest: {e}"))?;
    // 0: done; 7: done, and the program has findings of its own, for which no test is written.
    match status.code() {
        Some(0 | 7) => Ok(()),
        Some(_) | None => Err(format!("`cargo dtest gen` ended with {status}")),
    }
}

/// Copies what people wrote of a package: its manifest, `dtest.toml`, and the sources that are not generated.
fn copy_sources(from: &Path, to: &Path) -> Result<(), String> {
    let manifest = std::fs::read_to_string(from.join("Cargo.toml")).map_err(|e| e.to_string())?;
    let dunit = format!("{:?}", root().join("dunit"));
    let manifest = manifest.replace("\"../../dunit\"", &dunit);
    std::fs::write(to.join("Cargo.toml"), manifest).map_err(|e| e.to_string())?;
    let written = |text: &str| !text.starts_with("// @generated");
    for entry in walkdir::WalkDir::new(from).into_iter().filter_map(Result::ok).filter(|e| e.file_type().is_file()) {
        let Ok(relative) = entry.path().strip_prefix(from) else { continue };
        let is_source = relative.starts_with("src") || relative == Path::new("dtest.toml");
        let Ok(text) = std::fs::read_to_string(entry.path()) else { continue };
        if is_source && written(&text) {
            let target = to.join(relative);
            let folder = target.parent().unwrap_or(to);
            std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&target, text)).map_err(|e| e.to_string())?;
        }
    }
    Ok(())
}

/// The number of tests in a package's suite.
fn tests(package: &Path) -> usize {
    let files = walkdir::WalkDir::new(package.join("tests/dtest")).into_iter().filter_map(Result::ok);
    let texts = files.filter_map(|e| std::fs::read_to_string(e.path()).ok());
    texts.map(|t| t.lines().filter(|l| l.trim_start().starts_with("#[dunit")).count()).sum()
}

#[derive(Deserialize)]
struct Outcomes {
    outcomes: Vec<Outcome>,
}

#[derive(Deserialize)]
struct Outcome {
    scenario: serde_json::Value,
    summary: String,
}

/// The counts of written and of derived code.
fn counts(text: &str, package: &Path) -> Result<(Counts, Counts), String> {
    let outcomes: Outcomes = serde_json::from_str(text).map_err(|e| format!("outcomes.json: {e}"))?;
    let (mut written, mut derived) = (Counts::default(), Counts::default());
    for outcome in outcomes.outcomes {
        let Some(mutant) = outcome.scenario.get("Mutant") else { continue };
        let name = mutant.get("name").and_then(serde_json::Value::as_str).unwrap_or("a mutant");
        let counts = if is_written(mutant, package) { &mut written } else { &mut derived };
        match outcome.summary.as_str() {
            "CaughtMutant" => counts.caught += 1,
            "Timeout" => counts.timed_out += 1,
            "Unviable" => counts.unviable += 1,
            "MissedMutant" => counts.missed.push(name.to_owned()),
            other => return Err(format!("outcomes.json: an unknown outcome {other}")),
        }
    }
    Ok((written, derived))
}

/// Whether a mutant is in an item that says which compiled Dafny declaration it comes from.
fn is_written(mutant: &serde_json::Value, package: &Path) -> bool {
    let line = |pointer: &str| mutant.pointer(pointer).and_then(serde_json::Value::as_u64).unwrap_or(0) as usize;
    let file = mutant.get("file").and_then(serde_json::Value::as_str).unwrap_or_default();
    let text = std::fs::read_to_string(package.join(file)).unwrap_or_default();
    let (start, end) = (line("/function/span/start/line"), line("/span/start/line"));
    // Outside of functions there are only constants, which are declared.
    let mut head = text.lines().skip(start.saturating_sub(1)).take((end + 1).saturating_sub(start)).map(str::trim_start);
    let is_specification = head.clone().any(|l| l.starts_with("/// Specification only"));
    start == 0 || (!is_specification && head.any(|l| l.starts_with("/// From ")))
}

/// Survivors, then a line for each program and criterion and one for each criterion.
fn table(scores: &[Score], criteria: &[String]) -> String {
    let mut out = String::new();
    for score in scores {
        for (what, counts) in [("survives", &score.written), ("survives, derived", &score.derived)] {
            for missed in &counts.missed {
                let _ = writeln!(out, "{what} {} ({}): {missed}", score.coverage, score.subject);
            }
        }
    }
    let _ = writeln!(
        out,
        "{:<20} {:<18} {:>6} {:>8} {:>8} {:>8} {:>10} {:>10} {:>7} {:>16}",
        "program", "coverage", "tests", "viable", "killed", "timeout", "surviving", "unviable", "score", "without derived"
    );
    let mut line = |name: &str, coverage: &str, tests: usize, written: &Counts, derived: &Counts| {
        let mut c = written.clone();
        c.add(derived);
        let _ = writeln!(
            out,
            "{name:<20} {coverage:<18} {tests:>6} {:>8} {:>8} {:>8} {:>10} {:>10} {:>6.1}% {:>15.1}%",
            c.viable(),
            c.caught,
            c.timed_out,
            c.missed.len(),
            c.unviable,
            c.percent(),
            written.percent()
        );
    };
    for score in scores {
        line(&score.subject, &score.coverage, score.tests, &score.written, &score.derived);
    }
    for coverage in criteria {
        let (mut written, mut derived) = (Counts::default(), Counts::default());
        let of = scores.iter().filter(|s| s.coverage == *coverage);
        let tests = of.clone().map(|s| s.tests).sum();
        of.for_each(|s| {
            written.add(&s.written);
            derived.add(&s.derived);
        });
        line("together", coverage, tests, &written, &derived);
    }
    out
}
