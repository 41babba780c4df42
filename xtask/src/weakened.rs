//! `cargo xtask weakened [NAME...]`: the weaker versions of contracts that `spec` reports.
//!
//! `bench/weakened` has verified programs and lists of changes that weaken one contract each (its
//! README describes the files). `spec` examines each weaker contract alone, and compares it with the
//! original one.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::corpus::workspace::in_parallel;
use crate::planted::{described, read};
use crate::{demo, root, z3};

/// Folder of the programs and their weakenings.
const PROGRAMS: &str = "bench/weakened";

#[derive(clap::Args)]
pub struct Args {
    /// Programs, by the names of their files without extension [default: all]
    names: Vec<String>,
    /// Use this `cargo-dtest` instead of building one
    #[arg(long)]
    tool: Option<PathBuf>,
}

/// The weakenings of a program, as its TOML file lists them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Weakenings {
    weakening: Vec<Weakening>,
}

/// A change of the program's text that makes one contract weaker.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Weakening {
    /// The path of the unit with the contract.
    unit: String,
    /// The change in words.
    change: String,
    /// The text that is replaced; it occurs once in the program.
    old: String,
    new: String,
}

/// A program with its weakenings.
struct Program {
    name: String,
    file: PathBuf,
    text: String,
    weakenings: Vec<Weakening>,
}

/// The used fields of an object of the kind `specification`.
#[derive(Deserialize)]
struct Unit {
    unit: String,
    satisfiable: Answer,
    implementable: Answer,
    completeness: Answer,
    #[serde(default)]
    examples: Vec<Example>,
}

#[derive(Deserialize)]
struct Answer {
    verdict: String,
}

#[derive(Deserialize)]
struct Example {
    results: Vec<serde_json::Value>,
}

/// The used fields of an object of the kind `specification-difference`.
#[derive(Deserialize)]
struct Difference {
    unit: String,
    allowed: Answer,
}

/// The answers on a weaker contract.
struct Judged {
    /// Whether two results are shown.
    is_reported: bool,
    /// Whether a newly allowed result is shown.
    is_compared: bool,
    /// The verdict on completeness.
    verdict: String,
}

/// Examines all contracts and prints the weakenings that are missed and the totals.
///
/// # Errors
/// A program cannot be read, a change does not apply, or an unchanged contract is said to be
/// contradictory, impossible to implement, or open.
pub fn run(args: &Args) -> Result<(), String> {
    z3::ensure()?;
    let tool = args.tool.clone().map_or_else(|| demo::build(true), Ok)?;
    let tool = std::path::absolute(&tool).map_err(|e| format!("{}: {e}", tool.display()))?;
    let programs = programs(&root().join(PROGRAMS), &args.names)?;
    let wrong = unchanged(&programs, &tool)?;
    let all: Vec<(&Program, &Weakening)> = programs
        .iter()
        .flat_map(|p| p.weakenings.iter().map(move |w| (p, w)))
        .collect();
    let judged: Vec<Judged> = in_parallel(&all, |(program, w)| judge(program, w, &tool))
        .into_iter()
        .collect::<Result<_, String>>()?;
    for ((program, w), answer) in all.iter().zip(&judged) {
        if !(answer.is_reported && answer.is_compared) {
            println!(
                "{}: {}, {}: {}{}",
                program.name,
                w.unit,
                w.change,
                answer.verdict,
                if answer.is_compared {
                    ""
                } else {
                    ", no difference shown"
                }
            );
        }
    }
    let count = |is: fn(&Judged) -> bool| judged.iter().filter(|j| is(j)).count();
    println!(
        "{} weakenings: {} reported, {} shown by comparison",
        judged.len(),
        count(|j| j.is_reported),
        count(|j| j.is_compared)
    );
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("unchanged contracts: {}", wrong.join(", "))),
    }
}

/// Prints the verdicts on the unchanged contracts, and returns the wrong ones.
fn unchanged(programs: &[Program], tool: &Path) -> Result<Vec<String>, String> {
    let units: Vec<Vec<Unit>> = in_parallel(programs, |program| {
        let file = program.file.display().to_string();
        records(tool, &["--all", &file], "specification")
    })
    .into_iter()
    .collect::<Result<_, String>>()?;
    let named = programs.iter().zip(&units);
    let mut wrong = Vec::new();
    let (mut count, mut undecided) = (0, 0);
    for (program, unit) in named.flat_map(|(p, units)| units.iter().map(move |u| (p, u))) {
        count += 1;
        undecided += usize::from(unit.completeness.verdict == "undecided");
        let is_wrong = unit.satisfiable.verdict == "no"
            || unit.implementable.verdict == "no"
            || unit.completeness.verdict == "open";
        if is_wrong {
            wrong.push(format!("{}: {}", program.name, unit.unit));
        }
    }
    println!(
        "{count} unchanged contracts: {} wrong, {undecided} undecided",
        wrong.len()
    );
    Ok(wrong)
}

/// Examines a weaker contract.
fn judge(program: &Program, weakening: &Weakening, tool: &Path) -> Result<Judged, String> {
    let weaker = weakened(&program.text, weakening)
        .map_err(|e| format!("{}: {}: {e}", program.name, weakening.unit))?;
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let file = folder.path().join("weaker.dfy");
    std::fs::write(&file, weaker).map_err(|e| e.to_string())?;
    let file = file.display().to_string();
    let original = program.file.display().to_string();
    let options = ["--all", "--filter", &weakening.unit];
    let alone: Vec<Unit> = records(tool, &[&options[..], &[&file]].concat(), "specification")?;
    let compared: Vec<Difference> = records(
        tool,
        &[&options[..], &["--diff", &original, &file]].concat(),
        "specification-difference",
    )?;
    let own = alone.iter().find(|u| u.unit == weakening.unit);
    Ok(Judged {
        is_reported: own.is_some_and(shows_two_results),
        is_compared: compared
            .iter()
            .any(|d| d.unit == weakening.unit && d.allowed.verdict == "yes"),
        verdict: own
            .map_or("no unit", |u| &u.completeness.verdict)
            .to_owned(),
    })
}

/// Whether an example shows that the contract leaves the result open.
fn shows_two_results(unit: &Unit) -> bool {
    unit.examples.iter().any(|e| e.results.len() == 2)
}

/// Runs `spec` and returns its JSON objects of a kind. The exit code is that of a finding for most
/// programs.
fn records<T: serde::de::DeserializeOwned>(
    tool: &Path,
    arguments: &[&str],
    kind: &str,
) -> Result<Vec<T>, String> {
    let output = Command::new(tool)
        .args(["dtest", "spec", "--message-format", "json"])
        .args(arguments)
        .output()
        .map_err(|e| format!("cannot run {}: {e}", tool.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut found = Vec::new();
    for line in text.lines() {
        let value: serde_json::Value =
            serde_json::from_str(line).map_err(|e| format!("{line}: {e}"))?;
        if value["kind"] == kind {
            found.push(serde_json::from_value(value).map_err(|e| format!("{line}: {e}"))?);
        }
    }
    Ok(found)
}

/// Returns the program's text with a weaker contract.
fn weakened(text: &str, weakening: &Weakening) -> Result<String, String> {
    match text.matches(&weakening.old).count() {
        1 => Ok(text.replacen(&weakening.old, &weakening.new, 1)),
        n => Err(format!(
            "`old` occurs {n} times in the program instead of once"
        )),
    }
}

/// Reads the programs of a folder, in the order of their names; all of them if `names` is empty.
fn programs(folder: &Path, names: &[String]) -> Result<Vec<Program>, String> {
    let mut found = Vec::new();
    for (name, path) in described(folder, names)? {
        let weakenings: Weakenings =
            toml::from_str(&read(&path)?).map_err(|e| format!("{}: {e}", path.display()))?;
        let file = path.with_extension("dfy");
        found.push(Program {
            name,
            text: read(&file)?,
            file,
            weakenings: weakenings.weakening,
        });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weakening_applies_to_its_program() {
        let programs = programs(&root().join(PROGRAMS), &[]).unwrap();
        assert!(!programs.is_empty());
        for program in &programs {
            for weakening in &program.weakenings {
                let weaker = weakened(&program.text, weakening).unwrap();
                assert_ne!(weaker, program.text, "{}", weakening.unit);
            }
        }
    }

    #[test]
    fn a_text_that_occurs_twice_is_ambiguous() {
        let weakening = Weakening {
            unit: "M".to_owned(),
            change: "clause dropped".to_owned(),
            old: "ensures r > 0\n".to_owned(),
            new: String::new(),
        };
        let text = "ensures r > 0\nensures r > 0\n";
        let error = weakened(text, &weakening).unwrap_err();
        assert_eq!(error, "`old` occurs 2 times in the program instead of once");
    }

    #[test]
    fn an_unknown_program_is_an_error() {
        let folder = root().join(PROGRAMS);
        let error = programs(&folder, &["nothing".to_owned()]).err().unwrap();
        assert!(error.starts_with("no program nothing in "), "{error}");
    }
}
