//! Runs `Main` of real programs in the interpreter and as compiled Rust, and compares the output
//! with Dafny's.
//!
//! The expectation is that of the official test suite for every compiler: exact standard output,
//! apart from the verifier's own lines before it. A program without `Main` that is expected to
//! print nothing passes if it resolves or compiles.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::said::{Message, Said};
use super::workspace::{self, in_parallel};
use super::{Args, Entry};
use crate::{demo, root};

/// Time limit of a program.
const LIMIT: Duration = Duration::from_secs(60);

/// The result of a program on one backend.
#[derive(Clone)]
enum Verdict {
    Same,
    /// The first line that differs: expected, printed.
    Different(String, String),
    /// The tool reports that it does not support the program.
    Unsupported(String),
    NotCompiled(String),
    /// The program ended early: a panic, a failed `expect`, or the time limit.
    Stopped(String),
    NotRun,
}

impl Verdict {
    fn kind(&self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::Different(..) => "different",
            Verdict::Unsupported(_) => "unsupported",
            Verdict::NotCompiled(_) => "not compiled",
            Verdict::Stopped(_) => "stopped",
            Verdict::NotRun => "not run",
        }
    }

    fn reason(&self) -> String {
        match self {
            Verdict::Same | Verdict::NotRun => String::new(),
            Verdict::Different(expected, printed) => {
                format!("expected `{expected}`, printed `{printed}`")
            }
            Verdict::Unsupported(why) | Verdict::NotCompiled(why) | Verdict::Stopped(why) => {
                why.clone()
            }
        }
    }
}

struct Row {
    name: String,
    package: String,
    expected: String,
    interpreted: Verdict,
    translated: Verdict,
}

/// Runs all programs on both backends and prints the table.
pub fn run(args: &Args, out: &Path, entries: &[(usize, Entry)]) -> Result<(), String> {
    let start = Instant::now();
    let tool = args.tool.clone().map_or_else(|| demo::build(false), Ok)?;
    let mut rows = in_parallel(entries, |(i, entry)| judge(&tool, args, entry, out, *i));
    let read = start.elapsed();
    if !args.no_test {
        compile_and_run(out, &mut rows)?;
    }
    print(&rows);
    println!(
        "\n{:.0} s: read and interpreted {:.0} s, compiled and run {:.0} s",
        start.elapsed().as_secs_f64(),
        read.as_secs_f64(),
        (start.elapsed() - read).as_secs_f64()
    );
    match &args.json {
        Some(path) => write_json(path, &rows),
        None => Ok(()),
    }
}

/// Interprets a program and translates it.
fn judge(tool: &Path, args: &Args, entry: &Entry, out: &Path, index: usize) -> Row {
    let package = entry.package(index);
    // Expected output is that of Dafny, without lines of the verifier.
    let expected = match entry
        .expect
        .as_ref()
        .map(|e| std::fs::read_to_string(args.directory.join(e)))
    {
        Some(Ok(text)) => without_verifier(&text),
        Some(Err(_)) | None => String::new(),
    };
    // The interpreter: a refused program is not supported, any other failure is an error.
    let mut command = entry.command(tool, args, "run");
    command.args(["--message-format", "json"]);
    let ended = wait(&mut command);
    let said = Said::read(&ended.stdout);
    let has_main = !said.has("run/no-main");
    let interpreted = match (ended.code, has_main) {
        (_, false) => compare(&expected, ""),
        (Some(0), true) => compare(&expected, &said.output),
        (code, true) => {
            let is_refused = code == Some(USAGE) || said.first_error().is_some_and(is_refusal);
            let why = ended.why_of_tool(&said);
            if is_refused {
                Verdict::Unsupported(why)
            } else {
                Verdict::Stopped(why)
            }
        }
    };
    // The translation: run later, when all packages are built in one workspace.
    let mut command = entry.command(tool, args, "translate");
    command
        .args(["--message-format", "json", "--out"])
        .arg(out.join(&package))
        .arg("--runtime")
        .arg(root().join("dunit"));
    let ended = wait(&mut command);
    let said = Said::read(&ended.stdout);
    let translated = if ended.code != Some(0) {
        Verdict::Unsupported(ended.why_of_tool(&said))
    } else if has_main && !out.join(&package).join("src/main.rs").is_file() {
        Verdict::Unsupported(
            said.messages
                .first()
                .map_or_else(|| "no `Main` came out".to_owned(), Message::to_string),
        )
    } else {
        Verdict::NotRun
    };
    Row {
        name: entry.path.clone(),
        package,
        expected,
        interpreted,
        translated,
    }
}

/// The tool's exit code for a rejected command line.
const USAGE: i32 = 1;

/// Whether an error means that the tool rejects the program, or does not support something in it.
fn is_refusal(error: &Message) -> bool {
    matches!(error.stage(), "resolve" | "syntax" | "load" | "cli") || error.id == "run/unsupported"
}

/// Compiles the translations and runs them.
fn compile_and_run(out: &Path, rows: &mut [Row]) -> Result<(), String> {
    let wanted = |r: &&mut Row| {
        matches!(r.translated, Verdict::NotRun) && out.join(&r.package).join("Cargo.toml").is_file()
    };
    let packages = rows
        .iter_mut()
        .filter(wanted)
        .map(|r| r.package.clone())
        .collect();
    let built = workspace::build(out, packages, "--all-targets")?;
    let verdicts = in_parallel(rows, |row| {
        if let Some(errors) = built.bad.get(&row.package) {
            return Some(Verdict::NotCompiled(
                errors
                    .first()
                    .cloned()
                    .unwrap_or_else(|| "rustc failed".to_owned()),
            ));
        }
        if !matches!(row.translated, Verdict::NotRun) {
            return None;
        }
        let program = workspace::target(out).join("debug").join(&row.package);
        if !out.join(&row.package).join("src/main.rs").is_file() {
            return Some(compare(&row.expected, ""));
        }
        let ended = wait(&mut Command::new(program));
        Some(if ended.code == Some(0) {
            compare(&row.expected, &ended.stdout)
        } else {
            Verdict::Stopped(ended.why())
        })
    });
    for (row, verdict) in rows.iter_mut().zip(verdicts) {
        row.translated = verdict.unwrap_or_else(|| row.translated.clone());
    }
    Ok(())
}

/// The end of a process.
struct Ended {
    /// `None` if it was killed, after [`LIMIT`] or by another signal.
    code: Option<i32>,
    stdout: String,
    stderr: String,
    /// Whether it exceeded [`LIMIT`].
    is_late: bool,
}

impl Ended {
    /// Returns the reason why the tool failed.
    fn why_of_tool(&self, said: &Said) -> String {
        halt(&said.output)
            .or_else(|| said.first_error().map(Message::to_string))
            .unwrap_or_else(|| self.why())
    }

    /// Returns the reason why a process ended early: the halt of the Dafny program, its last line,
    /// or its exit code.
    fn why(&self) -> String {
        if self.is_late {
            return format!("still running after {} s", LIMIT.as_secs());
        }
        let last = || {
            self.stderr
                .lines()
                .rfind(|l| !l.trim().is_empty())
                .map(str::to_owned)
        };
        let code = || {
            self.code
                .map_or_else(|| "killed".to_owned(), |c| format!("exit code {c}"))
        };
        halt(&self.stdout).or_else(last).unwrap_or_else(code)
    }
}

/// Returns the line that Dafny programs print last after a failed `expect`.
fn halt(output: &str) -> Option<String> {
    output
        .lines()
        .find(|l| l.starts_with("[Program halted]"))
        .map(str::to_owned)
}

/// Runs a process with the time limit [`LIMIT`].
fn wait(command: &mut Command) -> Ended {
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(e) => {
            return Ended {
                code: None,
                stdout: String::new(),
                stderr: format!("cannot start: {e}"),
                is_late: false,
            };
        }
    };
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let start = Instant::now();
    // Both pipes are read concurrently, so that a full pipe does not block the child.
    std::thread::scope(|scope| {
        let stdout = scope.spawn(|| text(out));
        let stderr = scope.spawn(|| text(err));
        let mut code = None;
        let mut is_late = false;
        loop {
            match child.try_wait() {
                Ok(Some(status)) => code = status.code(),
                Ok(None) if start.elapsed() < LIMIT => {
                    std::thread::sleep(Duration::from_millis(5));
                    continue;
                }
                Ok(None) | Err(_) => {
                    is_late = true;
                    let _ = child.kill().and_then(|()| child.wait().map(|_| ()));
                }
            }
            break;
        }
        Ended {
            code,
            stdout: stdout.join().unwrap_or_default(),
            stderr: stderr.join().unwrap_or_default(),
            is_late,
        }
    })
}

fn text(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the output of a program without the verifier's lines before it.
fn without_verifier(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let verifier = |l: &str| l.trim().is_empty() || l.starts_with("Dafny program verifier ");
    match text
        .split_inclusive('\n')
        .position(|l| l.starts_with("Dafny program verifier "))
    {
        Some(_) => text
            .split_inclusive('\n')
            .skip_while(|l| verifier(l))
            .collect(),
        None => text,
    }
}

/// Compares like the official tests: exactly, apart from a final newline.
fn compare(expected: &str, printed: &str) -> Verdict {
    let printed = printed.replace("\r\n", "\n");
    if expected.trim_end_matches('\n') == printed.trim_end_matches('\n') {
        return Verdict::Same;
    }
    let (mut left, mut right) = (expected.split('\n'), printed.split('\n'));
    loop {
        match (left.next(), right.next()) {
            (Some(a), Some(b)) if a == b => {}
            (a, b) => return Verdict::Different(shortened(a), shortened(b)),
        }
    }
}

fn shortened(line: Option<&str>) -> String {
    match line {
        None => "(the end)".to_owned(),
        Some(line) if line.chars().count() > 120 => {
            format!("{}…", line.chars().take(120).collect::<String>())
        }
        Some(line) => line.to_owned(),
    }
}

fn print(rows: &[Row]) {
    println!("{:<56} {:<13} {:<13}", "program", "interpreter", "Rust");
    for row in rows {
        println!(
            "{:<56} {:<13} {:<13}",
            row.name,
            row.interpreted.kind(),
            row.translated.kind()
        );
    }
    for (backend, verdict) in BACKENDS {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        rows.iter()
            .for_each(|r| *counts.entry(verdict(r).kind()).or_default() += 1);
        let same = counts.remove("same").unwrap_or(0);
        let others: Vec<String> = counts
            .iter()
            .map(|(kind, n)| format!("{kind} {n}"))
            .collect();
        let percent = if rows.is_empty() {
            100.0
        } else {
            100.0 * same as f64 / rows.len() as f64
        };
        println!(
            "\n{backend}: same {same} of {} ({percent:.1} %); {}",
            rows.len(),
            others.join(", ")
        );
        for row in rows
            .iter()
            .filter(|r| !matches!(verdict(r), Verdict::Same | Verdict::NotRun))
        {
            println!(
                "  {}: {}: {}",
                row.name,
                verdict(row).kind(),
                verdict(row).reason()
            );
        }
    }
}

type Backend = fn(&Row) -> &Verdict;
const BACKENDS: [(&str, Backend); 2] = [
    ("interpreter", |r| &r.interpreted),
    ("Rust", |r| &r.translated),
];

fn write_json(path: &Path, rows: &[Row]) -> Result<(), String> {
    let verdict = |v: &Verdict| serde_json::json!({ "verdict": v.kind(), "reason": v.reason() });
    let value = |r: &Row| serde_json::json!({ "program": r.name, "package": r.package, "interpreter": verdict(&r.interpreted), "rust": verdict(&r.translated) });
    let text = serde_json::to_string_pretty(&rows.iter().map(value).collect::<Vec<_>>())
        .map_err(|e| e.to_string())?;
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::{Verdict, compare, without_verifier};

    #[test]
    fn the_verifiers_lines_are_no_output_of_the_program() {
        assert_eq!(
            without_verifier(
                "\nDafny program verifier finished with 1 verified, 0 errors\nhello\n\n"
            ),
            "hello\n\n"
        );
        assert_eq!(without_verifier("\nhello\r\n"), "\nhello\n");
        assert_eq!(without_verifier(""), "");
    }

    #[test]
    fn outputs_are_compared_exactly_and_the_first_difference_is_named() {
        assert!(matches!(compare("a\nb\n", "a\nb"), Verdict::Same));
        let Verdict::Different(expected, printed) = compare("a\nb \nc\n", "a\nb\nc\n") else {
            panic!("the same")
        };
        assert_eq!((expected.as_str(), printed.as_str()), ("b ", "b"));
        let Verdict::Different(expected, printed) = compare("a\n", "a\nb\n") else {
            panic!("the same")
        };
        assert_eq!((expected.as_str(), printed.as_str()), ("", "b"));
    }
}
