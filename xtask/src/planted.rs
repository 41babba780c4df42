//! `cargo xtask planted [NAME...]`: the bugs planted by hand in realistic programs that the
//! generated suites catch.
//!
//! `bench/planted` has the programs and their bugs (its README says how to add one). For each bug
//! the buggy program is translated to Rust, and the suite of the program without bugs runs on that
//! translation: the bug is caught if the suite fails.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde::Deserialize;

use crate::corpus::power::{executables, runs};
use crate::corpus::workspace::{self, in_parallel};
use crate::{demo, root, z3};

/// Folder of the programs and their bugs.
const PROGRAMS: &str = "bench/planted";

#[derive(clap::Args)]
pub struct Args {
    /// Programs, by the names of their files without extension [default: all]
    names: Vec<String>,
    /// Use this `cargo-dtest` instead of building one
    #[arg(long)]
    tool: Option<PathBuf>,
    /// `--strength` of `gen` [default: that of `gen`]
    #[arg(long)]
    strength: Option<String>,
    /// A further option of `gen`, as in `--option=--seed=1`
    #[arg(long = "option", value_name = "OPTION", allow_hyphen_values = true)]
    options: Vec<String>,
    /// Only check the bugs and their witnesses
    #[arg(long)]
    no_gen: bool,
    /// Directory of the generated packages
    #[arg(long, default_value = "target/planted")]
    out: PathBuf,
}

/// The bugs of one program, as its TOML file lists them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bugs {
    /// A description of the program, for readers of the file.
    #[serde(rename = "about")]
    _about: String,
    /// Declarations that the witnesses need, such as a class that implements an external clock.
    #[serde(default)]
    preamble: String,
    bug: Vec<Bug>,
}

/// A change of the program's text that a programmer could have made accidentally.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bug {
    name: String,
    /// The bug in words.
    sentence: String,
    /// The text that the bug replaces; it occurs once in the program.
    old: String,
    new: String,
    /// The body of a `Main` whose output the bug changes.
    witness: String,
    /// The output of the witness in the program without bugs.
    expected: String,
    /// The output of the witness in the buggy program.
    actual: String,
    verifier: Verifier,
}

/// The answer of `dafny verify` to the buggy program.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Verifier {
    Accepts,
    Rejects,
}

/// A program with its bugs.
struct Program {
    name: String,
    text: String,
    bugs: Bugs,
}

/// The used fields of the last line of `gen --message-format json`.
#[derive(Deserialize, Default)]
struct Summary {
    goals: usize,
    covered: usize,
    tests: usize,
}

/// A generated suite and its cost.
struct Generated {
    summary: Summary,
    wall: f64,
    /// User and system time of the tool's processes; `None` if the system has no `sh`.
    cpu: Option<f64>,
}

/// The result of a suite on a buggy program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Caught,
    Survives,
    /// The translation of the buggy program does not compile with the suite.
    NoProgram,
}

/// Checks the bugs and their witnesses, measures the suites, and prints a row per program, the
/// survivors and the totals.
///
/// # Errors
/// A program or its bugs cannot be read, a bug does not change the output of its witness as stated,
/// or a suite does not pass on the program without bugs.
pub fn run(args: &Args) -> Result<(), String> {
    z3::ensure()?;
    let tool = args.tool.clone().map_or_else(|| demo::build(true), Ok)?;
    let tool = std::path::absolute(&tool).map_err(|e| format!("{}: {e}", tool.display()))?;
    let programs = programs(&root().join(PROGRAMS), &args.names)?;
    check(&programs, &tool)?;
    if args.no_gen {
        return Ok(());
    }
    let out = root().join(&args.out);
    if out.exists() {
        std::fs::remove_dir_all(&out).map_err(|e| format!("{}: {e}", out.display()))?;
    }
    std::fs::create_dir_all(&out).map_err(|e| e.to_string())?;
    // One after the other: the figures are those of a user who runs one `gen`, which uses all
    // processors itself.
    let mut generated = Vec::new();
    for program in &programs {
        eprintln!("gen {}", program.name);
        generated.push(generate(args, &tool, &out, program)?);
    }
    // A suite that fails on the original program tells nothing about bugs: its program is left out
    // of the table, and the task fails.
    let pass = suites(&programs, &out)?;
    let (measured, failing) = split(programs.into_iter().zip(generated), &pass);
    let (programs, generated): (Vec<Program>, Vec<Generated>) = measured.into_iter().unzip();
    let mut verdicts: Vec<Vec<Verdict>> = programs.iter().map(|_| Vec::new()).collect();
    let rounds = programs.iter().map(|p| p.bugs.bug.len()).max().unwrap_or(0);
    for round in 0..rounds {
        eprintln!("bugs: round {} of {rounds}", round + 1);
        for (own, verdict) in verdicts
            .iter_mut()
            .zip(self::round(&programs, round, &tool, &out)?)
        {
            own.extend(verdict);
        }
    }
    print!("{}", table(&programs, &generated, &verdicts));
    if failing.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "not measured: the suite does not compile or does not pass on the program without bugs: {}",
            failing.join(", ")
        ))
    }
}

/// Splits programs into those whose suites pass without a bug, and the names of the others.
fn split(
    programs: impl Iterator<Item = (Program, Generated)>,
    verdicts: &[Verdict],
) -> (Vec<(Program, Generated)>, Vec<String>) {
    let mut passing = Vec::new();
    let mut failing = Vec::new();
    for ((program, generated), verdict) in programs.zip(verdicts) {
        if *verdict == Verdict::Survives {
            passing.push((program, generated));
        } else {
            failing.push(program.name);
        }
    }
    (passing, failing)
}

/// Reads the programs of a folder, in the order of their names; all of them if `names` is empty.
fn programs(folder: &Path, names: &[String]) -> Result<Vec<Program>, String> {
    let mut found = Vec::new();
    for (name, file) in described(folder, names)? {
        let bugs: Bugs =
            toml::from_str(&read(&file)?).map_err(|e| format!("{}: {e}", file.display()))?;
        let text = read(&file.with_extension("dfy"))?;
        found.push(Program { name, text, bugs });
    }
    Ok(found)
}

/// Returns the programs of a folder that a TOML file beside them describes, by name, with that file;
/// all of them if `names` is empty.
///
/// # Errors
/// The folder cannot be read, or it has no program of a name in `names`.
pub(crate) fn described(folder: &Path, names: &[String]) -> Result<Vec<(String, PathBuf)>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|x| x == "toml"))
        .collect();
    files.sort();
    let named = |file: PathBuf| {
        let name = file.file_stem()?.to_string_lossy().into_owned();
        (names.is_empty() || names.contains(&name)).then_some((name, file))
    };
    let found: Vec<(String, PathBuf)> = files.into_iter().filter_map(named).collect();
    match names.iter().find(|n| found.iter().all(|(f, _)| f != *n)) {
        Some(name) => Err(format!("no program {name} in {}", folder.display())),
        None => Ok(found),
    }
}

/// Reads a file.
///
/// # Errors
/// The file cannot be read; the message names it.
pub(crate) fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))
}

/// Checks that every bug applies, and that the outputs of its witness are those of its file and
/// differ.
fn check(programs: &[Program], tool: &Path) -> Result<(), String> {
    let bugs: Vec<(&Program, &Bug)> = programs
        .iter()
        .flat_map(|p| p.bugs.bug.iter().map(move |b| (p, b)))
        .collect();
    let errors: Vec<String> = in_parallel(&bugs, |(program, bug)| {
        check_bug(program, bug, tool)
            .err()
            .map(|e| format!("{}: {}: {e}", program.name, bug.name))
    })
    .into_iter()
    .flatten()
    .collect();
    if errors.is_empty() {
        eprintln!("{} bugs change the outputs of their witnesses", bugs.len());
        Ok(())
    } else {
        Err(errors.join("\n"))
    }
}

fn check_bug(program: &Program, bug: &Bug, tool: &Path) -> Result<(), String> {
    let buggy = planted(&program.text, bug)?;
    for (text, stated, which) in [
        (&program.text, &bug.expected, "expected"),
        (&buggy, &bug.actual, "actual"),
    ] {
        let output = execute(&with_main(text, &program.bugs.preamble, &bug.witness), tool)?;
        if output.trim() != stated.trim() {
            return Err(format!(
                "the witness prints\n{output}\nbut `{which}` is\n{stated}"
            ));
        }
    }
    if bug.expected.trim() == bug.actual.trim() {
        return Err("the bug does not change the output of its witness".to_owned());
    }
    Ok(())
}

/// Returns the program's text with a bug.
fn planted(text: &str, bug: &Bug) -> Result<String, String> {
    match text.matches(&bug.old).count() {
        1 => Ok(text.replacen(&bug.old, &bug.new, 1)),
        n => Err(format!(
            "`old` occurs {n} times in the program instead of once"
        )),
    }
}

/// Returns a program whose `Main` is a witness. It may call methods that are not known to
/// terminate.
fn with_main(text: &str, preamble: &str, witness: &str) -> String {
    format!("{text}\n{preamble}\nmethod Main()\n  decreases *\n{{\n{witness}}}\n")
}

/// Runs a program in the interpreter and returns what it prints; a run that fails adds a line that
/// says so.
fn execute(text: &str, tool: &Path) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let file = folder.path().join("witness.dfy");
    std::fs::write(&file, text).map_err(|e| e.to_string())?;
    let output = Command::new(tool)
        .args(["dtest", "run", "--quiet"])
        .arg(&file)
        .output()
        .map_err(|e| format!("cannot run {}: {e}", tool.display()))?;
    let mut printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        let first = message.lines().next().unwrap_or_default();
        printed.push_str(&format!("\nfails: {first}"));
    }
    Ok(printed)
}

/// Generates the suite of a program.
fn generate(args: &Args, tool: &Path, out: &Path, program: &Program) -> Result<Generated, String> {
    let file = root()
        .join(PROGRAMS)
        .join(&program.name)
        .with_extension("dfy");
    let times = out.join("times");
    // The shell's `times` has the processor time of the tool and of the processes that it started.
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("sh");
        let script = r#"times=$1; shift; "$@"; status=$?; times > "$times"; exit $status"#;
        shell.args(["-c", script, "sh"]).arg(&times).arg(tool);
        shell
    } else {
        Command::new(tool)
    };
    command
        .args([
            "dtest",
            "gen",
            "--quiet",
            "--no-cache",
            "--message-format",
            "json",
            "--out",
        ])
        .arg(out.join(package(program)))
        .arg("--runtime")
        .arg(root().join("dunit"));
    if let Some(strength) = &args.strength {
        command.arg("--strength").arg(strength);
    }
    command.args(&args.options).arg(&file);
    let start = Instant::now();
    let output = command
        .output()
        .map_err(|e| format!("cannot run {}: {e}", tool.display()))?;
    let wall = start.elapsed().as_secs_f64();
    let stdout = String::from_utf8_lossy(&output.stdout);
    let summary = stdout
        .lines()
        .filter_map(|l| serde_json::from_str::<serde_json::Value>(l).ok())
        .find(|v| v["kind"] == "summary")
        .and_then(|v| serde_json::from_value(v).ok())
        .ok_or_else(|| {
            let stderr = String::from_utf8_lossy(&output.stderr);
            format!("no suite for {}: {stdout}{stderr}", program.name)
        })?;
    let cpu = std::fs::read_to_string(&times)
        .ok()
        .and_then(|t| children_seconds(&t));
    Ok(Generated { summary, wall, cpu })
}

/// Returns the user and system time, in seconds, of a shell's children: the second line of what
/// `times` prints, as `0m1.20s 0m0.03s`.
fn children_seconds(times: &str) -> Option<f64> {
    let seconds = |word: &str| -> Option<f64> {
        let (minutes, seconds) = word.strip_suffix('s')?.split_once('m')?;
        Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
    };
    let words: Option<Vec<f64>> = times
        .lines()
        .nth(1)?
        .split_whitespace()
        .map(seconds)
        .collect();
    words.map(|w| w.iter().sum())
}

/// The name of the package of a program's suite.
fn package(program: &Program) -> String {
    program.name.replace('_', "-")
}

/// Builds the packages of the programs and runs their suites.
fn suites(programs: &[Program], out: &Path) -> Result<Vec<Verdict>, String> {
    let built = workspace::build(out, programs.iter().map(package).collect(), "--tests")?;
    let executables = executables(out)?;
    Ok(in_parallel(programs, |program| {
        let package = package(program);
        match executables.get(&package) {
            Some(suite) if built.good.contains(&package) => {
                if runs(suite) {
                    Verdict::Survives
                } else {
                    Verdict::Caught
                }
            }
            Some(_) | None => Verdict::NoProgram,
        }
    }))
}

/// Plants the bug with a number in each program that has as many, and runs the suites; `None` for a
/// program with fewer bugs.
fn round(
    programs: &[Program],
    number: usize,
    tool: &Path,
    out: &Path,
) -> Result<Vec<Option<Verdict>>, String> {
    let translated = in_parallel(programs, |program| match program.bugs.bug.get(number) {
        Some(bug) => translate(program, bug, tool, out).map(|()| true),
        None => Ok(false),
    });
    let translated = translated
        .into_iter()
        .collect::<Result<Vec<bool>, String>>()?;
    let verdicts = suites(programs, out)?;
    Ok(translated
        .iter()
        .zip(verdicts)
        .map(|(is_buggy, v)| is_buggy.then_some(v))
        .collect())
}

/// Replaces the translation in a program's package by that of the buggy program.
fn translate(program: &Program, bug: &Bug, tool: &Path, out: &Path) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let file = folder.path().join(&program.name).with_extension("dfy");
    std::fs::write(&file, planted(&program.text, bug)?).map_err(|e| e.to_string())?;
    let output = Command::new(tool)
        .args(["dtest", "translate", "--quiet", "--out"])
        .arg(out.join(package(program)))
        .arg(&file)
        .output()
        .map_err(|e| format!("cannot run {}: {e}", tool.display()))?;
    if output.status.success() {
        Ok(())
    } else {
        let stderr = String::from_utf8_lossy(&output.stderr);
        Err(format!(
            "{}: {}: not translated: {stderr}",
            program.name, bug.name
        ))
    }
}

/// Returns a row per program, the survivors with their sentences, and the totals.
fn table(programs: &[Program], generated: &[Generated], verdicts: &[Vec<Verdict>]) -> String {
    let mut lines = vec![format!(
        "{:<16} {:>9} {:>6} {:>8} {:>8} {:>7}",
        "program", "goals", "tests", "wall s", "CPU s", "caught"
    )];
    let mut survivors = Vec::new();
    let (mut caught, mut all) = ([0, 0], [0, 0]);
    let mut sums = (0, 0, 0, 0.0, 0.0);
    for ((program, generated), verdicts) in programs.iter().zip(generated).zip(verdicts) {
        let mut own = 0;
        for (bug, verdict) in program.bugs.bug.iter().zip(verdicts) {
            let contract = usize::from(bug.verifier == Verifier::Rejects);
            all[contract] += 1;
            if *verdict == Verdict::Caught {
                caught[contract] += 1;
                own += 1;
            } else {
                let not = if *verdict == Verdict::NoProgram {
                    " (does not compile)"
                } else {
                    ""
                };
                survivors.push(format!(
                    "  {}: {}{not}: {}",
                    program.name, bug.name, bug.sentence
                ));
            }
        }
        let Generated { summary, wall, cpu } = generated;
        sums.0 += summary.covered;
        sums.1 += summary.goals;
        sums.2 += summary.tests;
        sums.3 += wall;
        sums.4 += cpu.unwrap_or(0.0);
        lines.push(format!(
            "{:<16} {:>9} {:>6} {wall:>8.1} {:>8} {:>7}",
            program.name,
            format!("{}/{}", summary.covered, summary.goals),
            summary.tests,
            cpu.map_or_else(|| "-".to_owned(), |c| format!("{c:.1}")),
            format!("{own}/{}", verdicts.len())
        ));
    }
    let (total_caught, total) = (caught[0] + caught[1], all[0] + all[1]);
    lines.push(format!(
        "{:<16} {:>9} {:>6} {:>8.1} {:>8.1} {:>7}",
        "total",
        format!("{}/{}", sums.0, sums.1),
        sums.2,
        sums.3,
        sums.4,
        format!("{total_caught}/{total}")
    ));
    lines.push("survivors:".to_owned());
    lines.extend(survivors);
    let percent = if total == 0 {
        100.0
    } else {
        100.0 * total_caught as f64 / total as f64
    };
    lines.push(format!(
        "caught {total_caught} of {total} ({percent:.1} %): {} of {} that break a contract, {} of {} that break none",
        caught[1], all[1], caught[0], all[0]
    ));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::{
        Bug, Bugs, Generated, PROGRAMS, Program, Summary, Verdict, Verifier, children_seconds,
        planted, programs, split, table, with_main,
    };
    use crate::root;

    fn bug(name: &str, old: &str, new: &str, verifier: Verifier) -> Bug {
        Bug {
            name: name.to_owned(),
            sentence: format!("The sentence of {name}."),
            old: old.to_owned(),
            new: new.to_owned(),
            witness: "  print 1;\n".to_owned(),
            expected: "1".to_owned(),
            actual: "2".to_owned(),
            verifier,
        }
    }

    #[test]
    fn a_bug_replaces_the_only_occurrence_of_its_text() {
        let small = bug("small", "a < b", "a <= b", Verifier::Accepts);
        assert_eq!(
            planted("if a < b {}", &small).as_deref(),
            Ok("if a <= b {}")
        );
        for (text, times) in [("if a > b {}", 0), ("a < b && a < b", 2)] {
            let error = format!("`old` occurs {times} times in the program instead of once");
            assert_eq!(planted(text, &small), Err(error));
        }
    }

    #[test]
    fn the_processor_time_of_children_is_the_second_line_of_times() {
        let seconds = children_seconds("0m0.00s 0m0.01s\n1m2.50s 0m0.25s\n");
        assert!(
            seconds.is_some_and(|s| (s - 62.75).abs() < 1e-9),
            "{seconds:?}"
        );
        assert_eq!(children_seconds("0m0.00s 0m0.01s\n"), None);
        assert_eq!(children_seconds("0m0.00s 0m0.01s\nx y\n"), None);
    }

    #[test]
    fn a_witness_becomes_the_body_of_main() {
        assert_eq!(
            with_main("const c := 1\n", "class K {}", "  print c;\n"),
            "const c := 1\n\nclass K {}\nmethod Main()\n  decreases *\n{\n  print c;\n}\n"
        );
    }

    fn generated() -> Generated {
        Generated {
            summary: Summary {
                goals: 9,
                covered: 8,
                tests: 7,
            },
            wall: 1.25,
            cpu: Some(2.0),
        }
    }

    #[test]
    fn a_program_whose_own_suite_fails_is_not_measured() {
        let program = |name: &str| Program {
            name: name.to_owned(),
            text: String::new(),
            bugs: Bugs {
                _about: String::new(),
                preamble: String::new(),
                bug: Vec::new(),
            },
        };
        let verdicts = [Verdict::Survives, Verdict::Caught, Verdict::NoProgram];
        let all = ["a", "b", "c"].map(|n| (program(n), generated()));
        let (passing, failing) = split(all.into_iter(), &verdicts);
        let names: Vec<&str> = passing.iter().map(|(p, _)| p.name.as_str()).collect();
        assert_eq!(names, ["a"]);
        assert_eq!(failing, ["b", "c"]);
    }

    #[test]
    fn the_table_counts_caught_bugs_by_the_verdict_of_the_verifier() {
        let program = Program {
            name: "queue".to_owned(),
            text: String::new(),
            bugs: Bugs {
                _about: String::new(),
                preamble: String::new(),
                bug: vec![
                    bug("first", "a", "b", Verifier::Accepts),
                    bug("second", "a", "b", Verifier::Rejects),
                    bug("third", "a", "b", Verifier::Accepts),
                ],
            },
        };
        let verdicts = vec![Verdict::Caught, Verdict::Caught, Verdict::Survives];
        let printed = table(&[program], &[generated()], &[verdicts]);
        let expected = "\
program              goals  tests   wall s    CPU s  caught
queue                  8/9      7      1.2      2.0     2/3
total                  8/9      7      1.2      2.0     2/3
survivors:
  queue: third: The sentence of third.
caught 2 of 3 (66.7 %): 1 of 1 that break a contract, 1 of 2 that break none
";
        assert_eq!(printed, expected);
    }

    #[test]
    fn every_planted_bug_applies_and_changes_the_output_of_its_witness() {
        let all = programs(&root().join(PROGRAMS), &[]).unwrap();
        assert!(all.len() >= 12);
        for program in &all {
            assert!(program.bugs.bug.len() >= 5, "{}", program.name);
            for bug in &program.bugs.bug {
                let name = format!("{}: {}", program.name, bug.name);
                assert!(planted(&program.text, bug).is_ok(), "{name}");
                assert_ne!(bug.expected.trim(), bug.actual.trim(), "{name}");
                assert!(bug.sentence.ends_with('.'), "{name}");
            }
        }
    }

    #[test]
    fn a_program_that_does_not_exist_is_an_error() {
        let error = programs(&root().join(PROGRAMS), &["nothing".to_owned()]).err();
        assert!(error.is_some_and(|e| e.starts_with("no program nothing in ")));
    }
}
