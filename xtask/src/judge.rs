//! `cargo xtask judge`: the official Dafny judges this project. Each oracle compares an answer of
//! `cargo dtest` with Dafny's answer to the same question; the project itself never needs Dafny.
//!
//! Dafny is found by `DTEST_DAFNY`, a path to the executable, or beside the checkout in
//! `../shared/dafny/dafny`.
//!
//! | Oracle | Question |
//! |---|---|
//! | `fixtures` | does Dafny verify every fixture, with the options in its `dtest.toml`? |
//! | `verdicts` | has each program, and each mutant of it, the same verdict and the same first error line? |
//! | `obligations` | is nothing that Dafny verifies violated, and is everything that it reports in the list of `check`? |
//! | `specifications` | does Dafny verify what `spec` claims for all inputs, and the postconditions that it suggests? |
//! | `mutants` | is each `replacement` of `mutants` a program that Dafny accepts? |
//! | `executions` | do the compiled programs (Python, JavaScript, C#), `cargo dtest run` and the translation to Rust print the same? |

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::ValueEnum;

use crate::corpus::workspace::in_parallel;
use crate::process::{self, configured};
use crate::{demo, root, z3};

/// Targets of Dafny that need nothing but the language on the machine, for [`Oracle::Executions`].
const TARGETS: [&str; 3] = ["py", "js", "cs"];

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Oracle {
    /// Every fixture verifies
    Fixtures,
    /// The resolver gives Dafny's verdicts and first error lines
    Verdicts,
    /// `check` agrees with Dafny's verifier
    Obligations,
    /// The claims of `spec` verify
    Specifications,
    /// Mutants as text are programs
    Mutants,
    /// Random programs print the same everywhere
    Executions,
}

#[derive(clap::Args)]
pub struct Args {
    /// The oracles [default: all]
    oracles: Vec<Oracle>,
    /// Directories of programs for the oracles that read files
    #[arg(long = "from", value_name = "DIR", default_value = "fixtures")]
    folders: Vec<PathBuf>,
    /// Number of programs for each oracle that generates them
    #[arg(long, default_value_t = 50)]
    programs: u32,
    /// The first seed of random programs
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Runs the oracles one after the other; each prints its figures.
///
/// # Errors
/// Dafny is not found, or at least one oracle disagrees: the message names these oracles.
pub fn run(args: &Args) -> Result<(), String> {
    z3::ensure()?;
    let dafny = find_dafny(std::env::var_os("DTEST_DAFNY"))?;
    let (programs, seed) = (args.programs.to_string(), args.seed.to_string());
    let mut failures = Vec::new();
    for oracle in Oracle::value_variants() {
        if !args.oracles.is_empty() && !args.oracles.contains(oracle) {
            continue;
        }
        eprintln!("\n== {oracle:?}");
        let result = match oracle {
            Oracle::Fixtures => fixtures(&dafny),
            Oracle::Verdicts => developer_task(
                &dafny,
                args,
                &["judge-verdicts", "--programs", &programs, "--seed", &seed],
            ),
            Oracle::Obligations => developer_task(
                &dafny,
                args,
                &["judge-verifier", "--count", &programs, "--seed", &seed],
            ),
            Oracle::Specifications => specifications(&dafny, args),
            Oracle::Mutants => developer_task(&dafny, args, &["mutants"]),
            Oracle::Executions => executions(&dafny, args),
        };
        failures.extend(result.err());
    }
    if failures.is_empty() {
        Ok(())
    } else {
        Err(failures.join("\n"))
    }
}

/// The executable of Dafny: the configured one, or the one beside the checkout.
fn find_dafny(configured: Option<OsString>) -> Result<PathBuf, String> {
    let beside = root().join("../shared/dafny/dafny");
    let path = configured.map_or(beside, PathBuf::from);
    if path.is_file() {
        Ok(path)
    } else {
        Err(format!(
            "no Dafny at {}: set DTEST_DAFNY to the path of its executable",
            path.display()
        ))
    }
}

/// Runs a task of `cargo dev`, which prints its figures, on the folders.
fn developer_task(dafny: &Path, args: &Args, task: &[&str]) -> Result<(), String> {
    let mut command = configured(None, &["dev"], task);
    command.args(&args.folders).env("DTEST_DAFNY", dafny);
    process::run(&mut command)
}

/// Dafny verifies the claims of `spec` on the first programs of the folders.
fn specifications(dafny: &Path, args: &Args) -> Result<(), String> {
    let tool = demo::build(true)?.display().to_string();
    let (count, seed) = (args.programs.to_string(), args.seed.to_string());
    let options = ["--tool", &tool, "--count", &count, "--seed", &seed];
    developer_task(dafny, args, &[&["judge-spec"], &options[..]].concat())
}

/// Dafny verifies each fixture, with the options of its `dtest.toml`.
fn fixtures(dafny: &Path) -> Result<(), String> {
    let fixtures = demo::fixtures()?;
    let verdicts = in_parallel(&fixtures, |fixture| verify(dafny, fixture));
    let wrong: Vec<String> = verdicts.into_iter().filter_map(Result::err).collect();
    println!(
        "{} fixtures, {} verified",
        fixtures.len(),
        fixtures.len() - wrong.len()
    );
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!("fixtures: {}", wrong.join("\n")))
    }
}

fn verify(dafny: &Path, fixture: &Path) -> Result<(), String> {
    let mut command = Command::new(dafny);
    command.args(["verify", "--allow-warnings", "--allow-axioms"]);
    command.args(options_of(fixture)?);
    let sources = walkdir::WalkDir::new(fixture.join("src")).sort_by_file_name();
    let paths = sources
        .into_iter()
        .flatten()
        .map(walkdir::DirEntry::into_path);
    command.args(paths.filter(|p| p.extension().is_some_and(|x| x == "dfy")));
    let output = command
        .output()
        .map_err(|e| format!("cannot run {}: {e}", dafny.display()))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "{}: {}\n{}",
        fixture.display(),
        output.status,
        String::from_utf8_lossy(&output.stdout)
    ))
}

/// The options of Dafny's command line that `dtest.toml` sets for a fixture.
fn options_of(fixture: &Path) -> Result<Vec<String>, String> {
    let file = fixture.join("dtest.toml");
    let Ok(text) = std::fs::read_to_string(&file) else {
        return Ok(Vec::new());
    };
    let table: toml::Table = text
        .parse()
        .map_err(|e| format!("{}: {e}", file.display()))?;
    let mut options = Vec::new();
    for name in ["type-system-refresh", "general-newtypes", "unicode-char"] {
        if let Some(on) = table.get(name).and_then(toml::Value::as_bool) {
            options.push(format!("--{name}:{on}"));
        }
    }
    if let Some(kind) = table.get("general-traits").and_then(toml::Value::as_str) {
        options.push(format!("--general-traits:{kind}"));
    }
    Ok(options)
}

/// Random programs of the same seeds, twice: compiled by Dafny against the interpreter, and the
/// translation against the interpreter.
fn executions(dafny: &Path, args: &Args) -> Result<(), String> {
    let found = campaign(dafny, args)?;
    let mut agreement = configured(
        None,
        &[
            "test",
            "--quiet",
            "--package",
            "dtest",
            "--test",
            "agreement",
        ],
        &["--", "--nocapture", "random"],
    );
    agreement
        .env("DTEST_AGREEMENT_PROGRAMS", args.programs.to_string())
        .env("DTEST_AGREEMENT_SEED", args.seed.to_string());
    process::run(&mut agreement).map_err(|e| format!("executions: {e}"))?;
    if found == 0 {
        Ok(())
    } else {
        Err(format!(
            "executions: {found} programs print something else, whichever backend of Dafny compiles them"
        ))
    }
}

/// A campaign of `cargo dtest fuzz` over the compilers. Returns the number of programs that no
/// backend prints as the interpreter does; a backend that differs from another one is wrong by
/// itself.
fn campaign(dafny: &Path, args: &Args) -> Result<usize, String> {
    let tool = demo::build(true)?;
    let out = root().join(format!("target/judge/executions-{}", args.seed));
    // An earlier campaign of the same seed; `fuzz` writes into a new folder only.
    if out.exists() {
        std::fs::remove_dir_all(&out).map_err(|e| format!("{}: {e}", out.display()))?;
    }
    let mut fuzz = Command::new(&tool);
    fuzz.args(["dtest", "fuzz", "--random", "--rewritten", "0"])
        .args(["--max-time", "86400", "--reduce-time", "60"])
        .args(["--rounds", &args.programs.to_string()])
        .args(["--seed", &args.seed.to_string()])
        .arg("--out")
        .arg(&out);
    for target in TARGETS {
        fuzz.arg("--compiler").arg(format!(
            "'{}' run --no-verify --allow-warnings --target {target} {{options}} {{}}",
            dafny.display()
        ));
    }
    // Its exit code says that there are disagreements; which ones count is decided below.
    let status = fuzz
        .status()
        .map_err(|e| format!("cargo dtest fuzz: {e}"))?;
    if !matches!(status.code(), Some(0 | 7)) {
        return Err(format!("executions: `cargo dtest fuzz` failed: {status}"));
    }
    let results = out.join("results.jsonl");
    let text =
        std::fs::read_to_string(&results).map_err(|e| format!("{}: {e}", results.display()))?;
    let mut tally = Tally::default();
    for line in text.lines() {
        let round =
            serde_json::from_str(line).map_err(|e| format!("{}: {e}", results.display()))?;
        tally.add(&round);
    }
    println!(
        "{} programs printed by at least one backend, {} of them otherwise by one backend alone, {} otherwise by all: {}",
        tally.compared,
        tally.one_alone,
        tally.all_others,
        out.display()
    );
    Ok(tally.all_others)
}

/// Programs of a campaign by what the backends print.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    /// At least one backend compiled and ran the program.
    compared: usize,
    /// A backend printed something else, and another one agrees with the interpreter: that backend
    /// has a bug.
    one_alone: usize,
    /// A backend printed something else, and none agrees with the interpreter.
    all_others: usize,
}

impl Tally {
    /// Adds a line of `results.jsonl`: `prints` has one word for each backend, among them `same`
    /// and `printed`.
    fn add(&mut self, round: &serde_json::Value) {
        let prints = round["prints"].as_array().into_iter().flatten();
        let words: Vec<&str> = prints.filter_map(serde_json::Value::as_str).collect();
        let (agrees, differs) = (words.contains(&"same"), words.contains(&"printed"));
        self.compared += usize::from(agrees || differs);
        self.one_alone += usize::from(agrees && differs);
        self.all_others += usize::from(!agrees && differs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configured_dafny_that_does_not_exist_is_an_error_that_names_the_variable() {
        let error = find_dafny(Some("/nowhere/dafny".into())).unwrap_err();
        assert!(
            error.contains("/nowhere/dafny") && error.contains("DTEST_DAFNY"),
            "{error}"
        );
    }

    #[test]
    fn a_backend_that_differs_from_another_one_is_wrong_by_itself() {
        let mut tally = Tally::default();
        let rounds = [
            serde_json::json!({"prints": ["same", "printed"]}),
            serde_json::json!({"prints": ["printed", "not-compiled"]}),
            serde_json::json!({"prints": ["refused", "refused"]}),
            serde_json::json!({"skipped": "no `Main`"}),
        ];
        rounds.iter().for_each(|r| tally.add(r));
        let expected = Tally {
            compared: 2,
            one_alone: 1,
            all_others: 1,
        };
        assert_eq!(tally, expected);
    }

    #[test]
    fn options_of_a_fixture_are_those_of_its_dtest_toml() {
        let parcels = root().join("fixtures/parcels");
        assert_eq!(
            options_of(&parcels).unwrap(),
            [
                "--type-system-refresh:true",
                "--general-newtypes:true",
                "--general-traits:full"
            ]
        );
        assert!(
            options_of(&root().join("fixtures/bank"))
                .unwrap()
                .is_empty()
        );
    }
}
