//! `cargo xtask contracts VERDICTS DIR`: compares the results of `mutants --contracts` with
//! verdicts of Dafny's verifier on the same mutants. A mutant that the verifier proves must not
//! violate its contract.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::power::{Mutant, mutated};
use super::workspace::in_parallel;
use crate::{demo, z3};

#[derive(clap::Args)]
pub struct Args {
    /// Lines of JSON: `path` below DIR, `line` and `column` of `old`, which becomes `new`;
    /// `verdict` is `verified` or `errors`
    verdicts: PathBuf,
    /// The directory of the programs
    directory: PathBuf,
    /// Take this `cargo-dtest` instead of building one
    #[arg(long)]
    tool: Option<PathBuf>,
}

/// A mutant with the verifier's verdict.
#[derive(Deserialize)]
struct Judged {
    path: PathBuf,
    line: usize,
    column: usize,
    old: String,
    new: String,
    verdict: String,
}

/// Runs the comparison. Prints a line for every mutant that the verifier proves, then the number of
/// mutants by verdict and status.
///
/// # Errors
/// The verdicts cannot be read, or a mutant that the verifier proves is reported to violate its
/// contract.
pub fn run(args: &Args) -> Result<(), String> {
    z3::ensure()?;
    let tool = args.tool.clone().map_or_else(|| demo::build(true), Ok)?;
    let text = std::fs::read_to_string(&args.verdicts)
        .map_err(|e| format!("{}: {e}", args.verdicts.display()))?;
    let parsed: Result<Vec<Judged>, _> = text.lines().map(serde_json::from_str).collect();
    let judged = parsed.map_err(|e| format!("{}: {e}", args.verdicts.display()))?;
    let statuses = in_parallel(&judged, |j| {
        statuses(j, &args.directory.join(&j.path), &tool)
    });
    let mut counts: BTreeMap<(&str, &Option<Statuses>), usize> = BTreeMap::new();
    let mut wrong = 0;
    for (j, statuses) in judged.iter().zip(&statuses) {
        *counts.entry((&j.verdict, statuses)).or_default() += 1;
        if j.verdict == "verified" {
            println!(
                "{}:{}: `{}` for `{}`: {}",
                j.path.display(),
                j.line,
                j.new.trim(),
                j.old.trim(),
                told(statuses)
            );
            wrong += usize::from(
                statuses
                    .as_ref()
                    .is_some_and(|f| f.by_contract.as_deref() == Some("refused")),
            );
        }
    }
    for ((verdict, statuses), count) in counts {
        println!("{verdict}, {}: {count}", told(statuses));
    }
    if wrong > 0 {
        Err(format!(
            "{wrong} mutants that the verifier proves are said to break their contracts"
        ))
    } else {
        Ok(())
    }
}

/// The reported statuses of a mutant.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Statuses {
    /// The status by the contract; `None` if the mutant is not listed.
    by_contract: Option<String>,
    /// The status by the suite.
    by_suite: String,
}

fn told(statuses: &Option<Statuses>) -> String {
    match statuses {
        Some(Statuses {
            by_contract,
            by_suite,
        }) => {
            format!(
                "{} by contract, {by_suite} by the suite",
                by_contract.as_deref().unwrap_or("not listed")
            )
        }
        None => "not among the operators".to_owned(),
    }
}

/// Returns the reported statuses of a mutant; `None` if the tool does not generate it.
fn statuses(judged: &Judged, path: &Path, tool: &Path) -> Option<Statuses> {
    let text = std::fs::read_to_string(path).ok()?;
    let wanted = letters(&changed(&text, judged)?);
    let list = |more: &[&str]| -> Option<Vec<Mutant>> {
        let mut command = Command::new(tool);
        let output = command
            .args([
                "dtest",
                "mutants",
                "--quiet",
                "--no-cache",
                "--message-format",
                "json",
            ])
            .args(more)
            .arg(path)
            .output()
            .ok()?;
        Some(
            String::from_utf8_lossy(&output.stdout)
                .lines()
                .filter_map(|line| serde_json::from_str(line).ok())
                .collect(),
        )
    };
    let is_it = |m: &Mutant| {
        m.replacement
            .as_ref()
            .and_then(|r| mutated(&text, r))
            .is_some_and(|t| letters(&t) == wanted)
    };
    let ours = list(&[])?.into_iter().find(is_it)?;
    let is_same =
        |m: &&Mutant| (&m.unit, &m.place, &m.what) == (&ours.unit, &ours.place, &ours.what);
    let by_contract = list(&["--contracts"])?
        .into_iter()
        .find(|m| is_same(&m))
        .map(|m| m.status);
    Some(Statuses {
        by_contract,
        by_suite: ours.status,
    })
}

/// Applies the change to the program. Columns may be 0-based or 1-based.
fn changed(text: &str, judged: &Judged) -> Option<String> {
    let start: usize = text
        .split_inclusive('\n')
        .take(judged.line.checked_sub(1)?)
        .map(str::len)
        .sum();
    let places = [judged.column, judged.column.saturating_sub(1)].map(|c| start + c);
    let at = places.into_iter().find(|at| {
        text.get(*at..)
            .is_some_and(|rest| rest.starts_with(&judged.old))
    })?;
    Some(
        [
            text.get(..at)?,
            &judged.new,
            text.get(at + judged.old.len()..)?,
        ]
        .concat(),
    )
}

/// Normalizes a text: removes white space and parentheses.
fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '(' | ')'))
        .collect()
}
