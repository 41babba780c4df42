//! `gen --emit dafny --run`: runs the generated Dafny suites on Dafny's backends, and prints a
//! table of the results.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::super::error::CommandResult;
use super::super::{Environment, external};
use crate::exit_code::ExitCode;
use crate::message::MessageId;
use dafny_source::diagnostic::Diagnostic;
use dtest_emit::dafny::Target;

/// Timeout of one suite on one target.
const LIMIT: Duration = Duration::from_secs(600);
/// Maximum length of a shown error message, in characters.
const MAX_MESSAGE: usize = 200;

/// A suite to run.
pub(super) struct Run {
    /// The file of the tests.
    pub(super) file: PathBuf,
    /// Options of Dafny's command line that the program needs.
    pub(super) options: String,
    /// The units with their tests.
    pub(super) units: Vec<(String, Vec<String>)>,
}

/// The result of one test on one target.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Verdict {
    Passed,
    Failed(String),
    /// The run ended before this test.
    NotRun,
}

/// Runs suites on targets and prints one table. The exit code is 7 if a test fails, 1 if Dafny
/// cannot be started.
pub(super) fn run(runs: &[Run], targets: &[Target], env: &Environment) -> CommandResult {
    let Some(dafny) = find() else {
        let message = "`--run` needs Dafny, and there is no `dafny` on the PATH";
        let help = "install Dafny 4.11.0, or set DTEST_DAFNY to its path";
        return Err(Diagnostic::global(MessageId::CliNoDafny, message)
            .with_help(help)
            .into());
    };
    let mut code = ExitCode::Done;
    let mut rows = vec![["unit", "target", "passed", "failed", "not run"].map(str::to_owned)];
    let mut notes = Vec::new();
    for run in runs {
        for target in targets {
            let (output, status) = test(&dafny, run, *target).map_err(|e| {
                let message = format!("cannot run {}: {e}", dafny.display());
                Diagnostic::global(MessageId::CliNoDafny, message)
            })?;
            let name = target.name();
            // Targets that do not compile run no test at all; a crash ends a run before its last
            // test.
            let (mut is_compiled, mut is_complete) = (false, true);
            for (unit, tests) in &run.units {
                let verdicts: Vec<Verdict> = tests.iter().map(|t| verdict(&output, t)).collect();
                let count = |is: fn(&Verdict) -> bool| verdicts.iter().filter(|v| is(v)).count();
                let failed = count(|v| matches!(v, Verdict::Failed(_)));
                let missing = count(|v| *v == Verdict::NotRun);
                is_compiled |= missing < tests.len();
                is_complete &= missing == 0;
                if failed > 0 {
                    code = super::worse(code, ExitCode::Findings);
                }
                rows.push([
                    unit.clone(),
                    name.to_owned(),
                    count(|v| *v == Verdict::Passed).to_string(),
                    failed.to_string(),
                    missing.to_string(),
                ]);
                for (test, verdict) in tests.iter().zip(&verdicts) {
                    if let Verdict::Failed(message) = verdict {
                        notes.push(format!("{name}: {test} failed: {message}"));
                    }
                }
            }
            // No test at all: the compiler refused the program. Some tests: the process ended
            // early.
            if !is_compiled {
                notes.push(format!("{name}: not compiled: {}", first_error(&output)));
                code = super::worse(code, ExitCode::Findings);
            } else if status != Some(0) && !is_complete {
                notes.push(format!(
                    "{name}: the run ended early: {}",
                    first_error(&output)
                ));
                code = super::worse(code, ExitCode::Findings);
            }
        }
    }
    env.terminal.output(&table(&rows));
    for note in notes {
        env.terminal.output(&format!("{note}\n"));
    }
    Ok(code)
}

/// Finds the executable of Dafny: `DTEST_DAFNY`, or `dafny` on the PATH.
fn find() -> Option<PathBuf> {
    let is_there = |p: &PathBuf| p.is_file();
    if let Some(path) = std::env::var_os("DTEST_DAFNY") {
        return std::path::absolute(path).ok().filter(is_there);
    }
    external::find("dafny")
}

/// Runs the tests of a file. Returns the output, and the exit status if the process was not killed.
fn test(dafny: &Path, run: &Run, target: Target) -> std::io::Result<(String, Option<i32>)> {
    let folder = tempfile::Builder::new().prefix("dtest-dafny-").tempdir()?;
    let mut command = Command::new(dafny);
    command
        .arg("test")
        .arg(&run.file)
        .args(["--target", target.name(), "--no-verify", "--allow-warnings"])
        .args(["--methods-to-test", "TestsOf.*"])
        .arg("--output")
        .arg(folder.path().join("built").join("suite"))
        .args(run.options.split_whitespace())
        .current_dir(folder.path());
    if target == Target::Rs && !run.options.contains("enforce-determinism") {
        command.arg("--enforce-determinism");
    }
    let ended = external::run(&mut command, LIMIT)?;
    Ok((ended.output(), ended.code))
}

/// Finds the verdict on a test in the output of Dafny's runner: `Name: `, the output of the test,
/// then `PASSED`, or `FAILED` and the message.
fn verdict(output: &str, test: &str) -> Verdict {
    let head = format!("\n{test}: ");
    let output = format!("\n{output}");
    let Some(at) = output.find(&head) else {
        return Verdict::NotRun;
    };
    let rest = output.get(at + head.len()..).unwrap_or_default();
    match (rest.find("PASSED\n"), rest.find("FAILED\n")) {
        (Some(passed), failed) if failed.is_none_or(|f| passed < f) => Verdict::Passed,
        (_, Some(failed)) => {
            let message = rest
                .get(failed..)
                .and_then(|r| r.lines().nth(1))
                .unwrap_or_default();
            Verdict::Failed(cut(message.trim()))
        }
        (_, None) => Verdict::NotRun,
    }
}

fn first_error(output: &str) -> String {
    let is_error = |l: &&str| {
        let lower = l.to_ascii_lowercase();
        lower.contains("error") || lower.contains("exception") || lower.contains("not supported")
    };
    let line = output.lines().find(is_error);
    let last = output.lines().rev().find(|l| !l.trim().is_empty());
    cut(line.or(last).unwrap_or("no message").trim())
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_MESSAGE).collect()
}

/// Formats rows as a table with aligned columns; numbers are right-aligned.
fn table(rows: &[[String; 5]]) -> String {
    let mut widths = [0; 5];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut out = String::new();
    for row in rows {
        let mut cells = Vec::new();
        for (i, (cell, width)) in row.iter().zip(widths).enumerate() {
            cells.push(if i < 2 {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            });
        }
        out.push_str(cells.join("  ").trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_read_among_the_output_of_tests() {
        let output = "T.A: hello\nPASSED\nT.B: FAILED\n\tt.dfy(3,4): no\nT.C: ";
        assert_eq!(verdict(output, "T.A"), Verdict::Passed);
        assert_eq!(
            verdict(output, "T.B"),
            Verdict::Failed("t.dfy(3,4): no".into())
        );
        assert_eq!(verdict(output, "T.C"), Verdict::NotRun);
        assert_eq!(verdict(output, "T.D"), Verdict::NotRun);
    }
}
