//! `cargo xtask power DIR...`: mutation testing of the default suites of real Dafny programs, on
//! compiled code.
//!
//! A few mutants of every program are written as Dafny and translated; the suite of the original
//! program runs on each translation. The mutants are selected by a seed from those of `cargo dtest
//! mutants`, whose verdict on each is compared.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde::Deserialize;

use super::workspace::{self, in_parallel};
use super::{Args as CorpusArgs, Entry, programs};
use crate::{demo, root, z3};

#[derive(clap::Args)]
pub struct Args {
    /// Directories of Dafny programs; with a manifest.json, the programs that it lists
    #[arg(required = true)]
    directories: Vec<PathBuf>,
    /// Number of mutants of each program
    #[arg(long, default_value_t = 2)]
    mutants: usize,
    /// Only use every N-th program
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Seed for the selection of mutants
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Directory of the generated packages
    #[arg(long, default_value = "target/power")]
    out: PathBuf,
    /// Use this `cargo-dtest` instead of building one
    #[arg(long)]
    tool: Option<PathBuf>,
}

/// Time limit of a suite; a suite that exceeds it kills the mutant.
const MOST: Duration = Duration::from_secs(20);
/// Interval between two polls of a suite.
const PAUSE: Duration = Duration::from_millis(20);

/// The used fields of a mutant in the output of `cargo dtest mutants --message-format json`.
#[derive(Deserialize, Clone)]
pub(super) struct Mutant {
    pub(super) unit: String,
    pub(super) place: String,
    pub(super) what: String,
    pub(super) status: String,
    pub(super) replacement: Option<Replacement>,
}

/// A change of a program's text; lines and columns are 1-based, columns count characters.
#[derive(Deserialize, Clone)]
pub(super) struct Replacement {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    text: String,
}

/// A program with its suite and the selected mutants.
struct Subject {
    name: String,
    package: String,
    entry: Entry,
    directory: PathBuf,
    text: String,
    mutants: Vec<Mutant>,
}

/// The result of the compiled suite on a mutant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Killed,
    Passes,
    NoProgram,
}

/// Runs the measurement, and prints the survivors, the disagreements of compiled code and
/// interpreter, and the totals.
///
/// # Errors
/// A directory cannot be read, or the packages cannot be built for a reason outside of the
/// packages.
pub fn run(args: &Args) -> Result<(), String> {
    z3::ensure()?;
    let tool = args.tool.clone().map_or_else(|| demo::build(true), Ok)?;
    let out = root().join(&args.out);
    if out.exists() {
        std::fs::remove_dir_all(&out).map_err(|e| format!("{}: {e}", out.display()))?;
    }
    std::fs::create_dir_all(&out).map_err(|e| e.to_string())?;
    let (mut subjects, left_out) = subjects(args, &tool, &out)?;
    let packages = subjects.iter().map(|s| s.package.clone()).collect();
    let built = workspace::build(&out, packages, "--tests")?;
    let suites = executables(&out)?;
    let passes = |s: &Subject| {
        built.good.contains(&s.package) && suites.get(&s.package).is_some_and(|suite| runs(suite))
    };
    let good: BTreeSet<String> = subjects
        .iter()
        .filter(|s| passes(s))
        .map(|s| s.package.clone())
        .collect();
    for subject in subjects.iter().filter(|s| !good.contains(&s.package)) {
        println!(
            "not measured: the suite does not pass on the program as it is: {}",
            subject.name
        );
    }
    subjects.retain(|s| good.contains(&s.package));
    let mut verdicts: Vec<(&Subject, &Mutant, Verdict)> = Vec::new();
    for round in 0..args.mutants {
        verdicts.extend(self::round(&subjects, round, &tool, &out)?);
        eprintln!("round {} of {}", round + 1, args.mutants);
    }
    report(&subjects, &verdicts, left_out);
    Ok(())
}

/// Returns the programs with suites and mutants, and the number of programs without them or with
/// several files.
fn subjects(args: &Args, tool: &Path, out: &Path) -> Result<(Vec<Subject>, usize), String> {
    let mut entries: Vec<(usize, PathBuf, Entry)> = Vec::new();
    for directory in &args.directories {
        for entry in programs(directory)?.into_iter().step_by(args.every.max(1)) {
            entries.push((entries.len(), directory.clone(), entry));
        }
    }
    let all = entries.len();
    let found = in_parallel(&entries, |(i, directory, entry)| {
        subject(args, tool, out, (*i, directory, entry))
    });
    let found: Vec<Subject> = found.into_iter().flatten().collect();
    let left_out = all - found.len();
    Ok((found, left_out))
}

fn subject(
    args: &Args,
    tool: &Path,
    out: &Path,
    (index, directory, entry): (usize, &Path, &Entry),
) -> Option<Subject> {
    // Mutants are texts of one file, so the program must consist of that file.
    let text = std::fs::read_to_string(directory.join(&entry.path)).ok()?;
    let is_alone = entry.extra.is_empty()
        && entry.path.ends_with(".dfy")
        && !text.lines().any(|l| l.trim_start().starts_with("include "));
    if !is_alone {
        return None;
    }
    // The suite of the unchanged program.
    let package = entry.package(index);
    let settings = corpus_args(directory);
    let mut generate = entry.command(tool, &settings, "gen");
    generate
        .args(["--quiet", "--no-cache", "--out"])
        .arg(out.join(&package))
        .arg("--runtime")
        .arg(root().join("dunit"));
    generate.output().ok()?;
    if !out.join(&package).join("tests").is_dir() {
        return None;
    }
    // A random sample of the mutants that have a text.
    let mut list = entry.command(tool, &settings, "mutants");
    list.args(["--quiet", "--no-cache", "--message-format", "json"]);
    let listed = list.output().ok()?;
    let lines = String::from_utf8_lossy(&listed.stdout).into_owned();
    let of_line = |line: &str| serde_json::from_str::<Mutant>(line).ok();
    let is_decided = |m: &Mutant| m.replacement.is_some() && m.status != "not-run";
    let mut mutants: Vec<Mutant> = lines
        .lines()
        .filter_map(of_line)
        .filter(is_decided)
        .collect();
    let mut random = Random(args.seed ^ hash(&entry.path));
    let count = args.mutants.min(mutants.len());
    let drawn = (0..count)
        .map(|_| mutants.swap_remove(random.below(mutants.len())))
        .collect();
    Some(Subject {
        name: entry.path.clone(),
        package,
        entry: entry.clone(),
        directory: directory.to_owned(),
        text,
        mutants: drawn,
    })
}

/// Returns the arguments that the options of a manifest's program depend on.
fn corpus_args(directory: &Path) -> CorpusArgs {
    CorpusArgs {
        directory: directory.to_owned(),
        ..CorpusArgs::default()
    }
}

/// Writes, builds and runs one mutant of every program that has enough.
fn round<'s>(
    subjects: &'s [Subject],
    round: usize,
    tool: &Path,
    out: &Path,
) -> Result<Vec<(&'s Subject, &'s Mutant, Verdict)>, String> {
    let chosen: Vec<(&Subject, &Mutant)> = subjects
        .iter()
        .filter_map(|s| Some((s, s.mutants.get(round)?)))
        .collect();
    let translated = in_parallel(&chosen, |(subject, mutant)| {
        translate(subject, mutant, tool, out).is_some()
    });
    let packages = chosen
        .iter()
        .zip(&translated)
        .filter(|(_, done)| **done)
        .map(|((s, _), _)| s.package.clone())
        .collect();
    let built = workspace::build(out, packages, "--tests")?;
    let suites = executables(out)?;
    let verdicts = in_parallel(&chosen, |(subject, _)| match suites.get(&subject.package) {
        Some(suite) if built.good.contains(&subject.package) => {
            if runs(suite) {
                Verdict::Passes
            } else {
                Verdict::Killed
            }
        }
        Some(_) | None => Verdict::NoProgram,
    });
    Ok(chosen
        .into_iter()
        .zip(verdicts)
        .map(|((s, m), v)| (s, m, v))
        .collect())
}

/// Replaces the program's translation by that of a mutant; `None` if the mutant is not a valid
/// program.
fn translate(subject: &Subject, mutant: &Mutant, tool: &Path, out: &Path) -> Option<()> {
    let mutated = mutated(&subject.text, mutant.replacement.as_ref()?)?;
    let folder = tempfile::tempdir().ok()?;
    let path = folder.path().join(&subject.entry.path);
    std::fs::create_dir_all(path.parent()?).ok()?;
    std::fs::write(&path, mutated).ok()?;
    let settings = CorpusArgs {
        standard_libraries: Some(subject.directory.join("../stdlib/src")),
        ..corpus_args(folder.path())
    };
    let mut command = subject.entry.command(tool, &settings, "translate");
    command
        .args(["--quiet", "--out"])
        .arg(out.join(&subject.package));
    let status = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .ok()?;
    status.success().then_some(())
}

/// Applies a change to a text.
pub(super) fn mutated(text: &str, change: &Replacement) -> Option<String> {
    let at = |line: usize, column: usize| -> Option<usize> {
        let start: usize = text
            .split_inclusive('\n')
            .take(line.checked_sub(1)?)
            .map(str::len)
            .sum();
        let within: usize = text
            .get(start..)?
            .chars()
            .take(column.checked_sub(1)?)
            .map(char::len_utf8)
            .sum();
        Some(start + within)
    };
    let (start, end) = (
        at(change.line, change.column)?,
        at(change.end_line, change.end_column)?,
    );
    Some([text.get(..start)?, &change.text, text.get(end..)?].concat())
}

/// Returns the test executables of the built packages.
pub fn executables(out: &Path) -> Result<BTreeMap<String, PathBuf>, String> {
    let mut build = workspace::command(
        out,
        &[
            "build",
            "--workspace",
            "--tests",
            "--quiet",
            "--message-format",
            "json",
        ],
    );
    let output = build.output().map_err(|e| e.to_string())?;
    let mut found = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(value) = serde_json::from_str::<serde_json::Value>(line) else {
            continue;
        };
        let manifest = value["manifest_path"]
            .as_str()
            .and_then(|m| Path::new(m).parent()?.file_name());
        if let (Some("dtest"), Some(executable), Some(package)) = (
            value["target"]["name"].as_str(),
            value["executable"].as_str(),
            manifest,
        ) {
            found.insert(
                package.to_string_lossy().into_owned(),
                PathBuf::from(executable),
            );
        }
    }
    Ok(found)
}

/// Whether a suite passes within its time.
pub fn runs(suite: &Path) -> bool {
    let mut command = std::process::Command::new(suite);
    let Ok(mut child) = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
    else {
        return false;
    };
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if start.elapsed() < MOST => std::thread::sleep(PAUSE),
            Ok(None) | Err(_) => {
                // The process may have ended already, which is harmless.
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
        }
    }
}

fn report(subjects: &[Subject], verdicts: &[(&Subject, &Mutant, Verdict)], left_out: usize) {
    let show = |s: &Subject, m: &Mutant| {
        format!(
            "  {}: {} {}: {}",
            s.name,
            m.place.rsplit('/').next().unwrap_or_default(),
            m.unit,
            m.what
        )
    };
    let is_equivalent = |m: &Mutant| m.status == "equivalent";
    println!("survivors, {{what the interpreter says}}:");
    for (s, m, _) in verdicts
        .iter()
        .filter(|(_, m, v)| *v == Verdict::Passes && !is_equivalent(m))
    {
        println!("{} {{{}}}", show(s, m), m.status);
    }
    println!("compiled code and interpreter do not agree:");
    // If a unit's results are open, the interpreter gives no verdict, and the compiled suite relies
    // on the contracts alone.
    let is_said = |m: &Mutant, v: Verdict| v != Verdict::NoProgram && m.status != "untested";
    let agrees =
        |m: &Mutant, v: Verdict| !is_said(m, v) || (v == Verdict::Killed) == (m.status == "killed");
    for (s, m, v) in verdicts.iter().filter(|(_, m, v)| !agrees(m, *v)) {
        println!(
            "{}: compiled, it {}",
            show(s, m),
            if *v == Verdict::Killed {
                "is killed"
            } else {
                "passes"
            }
        );
    }
    let count = |is: &dyn Fn(&Mutant, Verdict) -> bool| {
        verdicts.iter().filter(|(_, m, v)| is(m, *v)).count()
    };
    let programs = count(&|_, v| v != Verdict::NoProgram);
    let killed = count(&|_, v| v == Verdict::Killed);
    let equivalent = count(&|m, v| v == Verdict::Passes && is_equivalent(m));
    let different = programs - equivalent;
    println!(
        "{} programs measured, {left_out} of several files, refused or without tests; mutants {}, of which {} are no program",
        subjects.len(),
        verdicts.len(),
        verdicts.len() - programs
    );
    let share = if different == 0 {
        100.0
    } else {
        100.0 * killed as f64 / different as f64
    };
    println!(
        "killed {killed} of {different} that are not proved equivalent ({share:.1} %); proved equivalent {equivalent}"
    );
    let said = count(&is_said);
    println!(
        "compiled code and interpreter agree on {} of {said}",
        said - count(&|m, v| !agrees(m, v))
    );
}

/// A pseudo-random number generator (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }
}

/// FNV-1a hash.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    use super::{Replacement, mutated};

    #[test]
    fn a_replacement_is_put_where_its_lines_and_columns_say() {
        let change = Replacement {
            line: 2,
            column: 3,
            end_line: 2,
            end_column: 5,
            text: "X".into(),
        };
        assert_eq!(
            mutated("aé\nöäbcd\nz", &change).as_deref(),
            Some("aé\nöäXd\nz")
        );
        assert!(
            mutated(
                "a",
                &Replacement {
                    line: 0,
                    column: 1,
                    end_line: 1,
                    end_column: 1,
                    text: String::new()
                }
            )
            .is_none()
        );
    }
}
