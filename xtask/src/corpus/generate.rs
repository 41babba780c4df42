//! Generates, compiles and runs the suites of real programs, and counts the results.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use serde::Deserialize;

use super::workspace::{self, in_parallel};
use super::{Args, Entry};
use crate::{demo, root};

/// The used fields of the last line of `gen --message-format json`.
#[derive(Deserialize, Default, Clone)]
#[serde(default)]
struct Summary {
    #[serde(flatten)]
    counts: Counts,
    stages: BTreeMap<String, f64>,
    peak_memory_bytes: Option<u64>,
}

/// The results that every run of an unchanged program must reproduce.
#[derive(Deserialize, Default, Clone, PartialEq)]
#[serde(default)]
struct Counts {
    units: usize,
    goals: usize,
    covered: usize,
    proved_unreachable: usize,
    unreachable_at_caps: usize,
    unreachable_within_bounds: usize,
    out_of_budget: usize,
    unsupported: usize,
    findings: usize,
    tests: usize,
    valued_tests: usize,
    deterministic_tests: usize,
    clauses: usize,
    clauses_executed: usize,
    preconditions_unknown: usize,
    reasons: BTreeMap<String, usize>,
    untranslated: Vec<(String, String)>,
}

/// The results of one program.
#[derive(Default)]
struct Row {
    name: String,
    package: String,
    errors: Vec<String>,
    syntax_errors: usize,
    summary: Option<Summary>,
    /// The duration of the generating process.
    seconds: f64,
    compiled: Option<bool>,
    passed: usize,
    failed: Vec<String>,
}

/// Generates, compiles and runs the suites of all programs and prints the table. Generation runs
/// twice, without and with the cache, on all processors; both runs must have the same results.
pub fn run(args: &Args, out: &Path, entries: &[(usize, Entry)]) -> Result<(), String> {
    let tool = args.tool.clone().map_or_else(|| demo::build(true), Ok)?;
    let all = || {
        let start = Instant::now();
        let rows = in_parallel(entries, |(i, entry)| generate(&tool, args, entry, out, *i));
        (rows, start.elapsed().as_secs_f64())
    };
    let (mut rows, cold) = all();
    let (again, warm) = all();
    for (row, again) in rows.iter_mut().zip(again) {
        let counts = |row: &Row| row.summary.as_ref().map(|s| s.counts.clone());
        if (counts(row), &row.errors) != (counts(&again), &again.errors) {
            row.errors
                .push("a second run of the unchanged program gave something else".to_owned());
        }
    }
    if !args.no_test {
        test(out, &mut rows)?;
    }
    print(&rows, args.no_test, cold, warm);
    match &args.json {
        Some(path) => write_json(path, &rows),
        None => Ok(()),
    }
}

fn generate(tool: &Path, args: &Args, entry: &Entry, out: &Path, index: usize) -> Row {
    let package = entry.package(index);
    let mut command = entry.command(tool, args, "gen");
    command
        .args(["--quiet", "--message-format", "json", "--out"])
        .arg(out.join(&package))
        .arg("--runtime")
        .arg(root().join("dunit"));
    command.arg("--cache-dir").arg(out.join("cache"));
    let start = Instant::now();
    let output = command.output();
    let mut row = Row {
        name: entry.path.clone(),
        package,
        seconds: start.elapsed().as_secs_f64(),
        ..Row::default()
    };
    let output = match output {
        Ok(output) => output,
        Err(e) => {
            row.errors.push(format!("cannot start: {e}"));
            return row;
        }
    };
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(value) = serde_json::from_str::<serde_json::Value>(line) else {
            continue;
        };
        match value["kind"].as_str() {
            Some("summary") => row.summary = serde_json::from_value(value).ok(),
            Some("diagnostic") if value["severity"] == "error" => {
                row.syntax_errors += usize::from(
                    value["id"]
                        .as_str()
                        .is_some_and(|i| i.starts_with("syntax/")),
                );
                let place = &value["primary"];
                row.errors.push(format!(
                    "{}:{}: {}",
                    place["path"].as_str().unwrap_or("?"),
                    place["line"],
                    value["message"].as_str().unwrap_or("?")
                ));
            }
            Some(_) | None => {}
        }
    }
    // Success, nothing generated, and violations are expected exit codes.
    if ![Some(0), Some(4), Some(7)].contains(&output.status.code()) && row.errors.is_empty() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        row.errors.push(format!(
            "{}: {}",
            output.status,
            stderr.lines().next().unwrap_or("")
        ));
    }
    row
}

/// Compiles all suites; runs those that compile.
fn test(out: &Path, rows: &mut [Row]) -> Result<(), String> {
    let packages = rows
        .iter()
        .filter(|r| out.join(&r.package).join("Cargo.toml").is_file())
        .map(|r| r.package.clone())
        .collect();
    let built = workspace::build(out, packages, "--tests")?;
    let ran = in_parallel(rows, |row| {
        built
            .good
            .contains(&row.package)
            .then(|| run_suite(out, &row.package))
    });
    for (row, ran) in rows.iter_mut().zip(ran) {
        if let Some(errors) = built.bad.get(&row.package) {
            row.compiled = Some(false);
            row.errors.extend(errors.iter().cloned());
        }
        if let Some((passed, failed)) = ran {
            (row.compiled, row.passed, row.failed) = (Some(true), passed, failed);
        }
    }
    Ok(())
}

/// Runs a suite. Returns the number of passed tests, and the names of the failed ones.
fn run_suite(out: &Path, package: &str) -> (usize, Vec<String>) {
    let (mut passed, mut failed) = (0, Vec::new());
    let run = workspace::command(
        out,
        &[
            "test",
            "--quiet",
            "--no-fail-fast",
            "--package",
            package,
            "--test",
            "dtest",
        ],
    )
    .output();
    let output = match run {
        Ok(output) => output,
        Err(e) => return (0, vec![format!("the suite cannot be started: {e}")]),
    };
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some(rest) = line.strip_prefix("test result: ") {
            passed += rest
                .split(' ')
                .nth(1)
                .and_then(|n| n.parse().ok())
                .unwrap_or(0);
        } else if let Some(name) = line.strip_prefix("---- ") {
            failed.push(name.trim_end_matches(" stdout ----").to_owned());
        }
    }
    if !output.status.success() && failed.is_empty() {
        failed.push(format!("the suite ended with {}", output.status));
    }
    (passed, failed)
}

/// Prints the table, the totals, and what is not settled. `cold` and `warm` are the durations of
/// generation in seconds, without and with the cache.
fn print(rows: &[Row], no_test: bool, cold: f64, warm: f64) {
    print_table(rows);
    print_totals(rows);
    if !no_test {
        println!(
            "suites compiled {}, not {}; tests passed {}, failed {}",
            rows.iter().filter(|r| r.compiled == Some(true)).count(),
            rows.iter().filter(|r| r.compiled == Some(false)).count(),
            rows.iter().map(|r| r.passed).sum::<usize>(),
            rows.iter().map(|r| r.failed.len()).sum::<usize>()
        );
    }
    print_resources(rows, cold, warm);
    print_open(rows);
}

/// Returns the summaries of the programs that have one.
fn summaries(rows: &[Row]) -> impl Iterator<Item = &Summary> {
    rows.iter().filter_map(|r| r.summary.as_ref())
}

/// Prints a line for each program.
fn print_table(rows: &[Row]) {
    println!(
        "{:<56} {:>5} {:>5} {:>7} {:>6} {:>4} {:>6} {:>6} {:>6} {:>5} {:>9} {:>7} {:>6}",
        "program",
        "units",
        "goals",
        "covered",
        "proved",
        "caps",
        "bounds",
        "budget",
        "unsupp",
        "tests",
        "clauses",
        "seconds",
        "suite"
    );
    for row in rows {
        let suite = match (row.compiled, row.failed.len()) {
            (Some(true), 0) => "pass".to_owned(),
            (Some(true), n) => format!("{n} FAIL"),
            (Some(false), _) => "NO".to_owned(),
            (None, _) => if row.errors.is_empty() { "-" } else { "ERROR" }.to_owned(),
        };
        let s = row.summary.clone().unwrap_or_default().counts;
        println!(
            "{:<56} {:>5} {:>5} {:>7} {:>6} {:>4} {:>6} {:>6} {:>6} {:>5} {:>9} {:>7.2} {:>6}",
            row.name,
            s.units,
            s.goals,
            s.covered,
            s.proved_unreachable,
            s.unreachable_at_caps,
            s.unreachable_within_bounds,
            s.out_of_budget,
            s.unsupported,
            s.tests,
            format!("{}/{}", s.clauses_executed, s.clauses),
            row.seconds,
            suite
        );
    }
}

/// Prints the sums over all programs: goals by their state, tests, and clauses.
fn print_totals(rows: &[Row]) {
    let all = |f: fn(&Counts) -> usize| summaries(rows).map(|s| f(&s.counts)).sum::<usize>();
    let goals = all(|s| s.goals);
    let settled = all(|s| s.covered + s.proved_unreachable + s.unreachable_at_caps);
    let sure = all(|s| s.covered + s.proved_unreachable);
    let (clauses, executed) = (all(|s| s.clauses), all(|s| s.clauses_executed));
    let share = |part: usize, whole: usize| {
        if whole == 0 {
            100.0
        } else {
            100.0 * part as f64 / whole as f64
        }
    };
    println!(
        "\nprograms {}; parsed {}; resolved {}",
        rows.len(),
        rows.iter().filter(|r| r.syntax_errors == 0).count(),
        rows.iter().filter(|r| r.summary.is_some()).count()
    );
    println!(
        "units {}; goals {goals}; settled {settled} ({:.1} %), covered or proved {sure} ({:.1} %): covered {}, proved unreachable {}, unreachable at caps {}",
        all(|s| s.units),
        share(settled, goals),
        share(sure, goals),
        all(|s| s.covered),
        all(|s| s.proved_unreachable),
        all(|s| s.unreachable_at_caps)
    );
    println!(
        "open: within bounds {}, out of budget {}, unsupported {}; findings {}",
        all(|s| s.unreachable_within_bounds),
        all(|s| s.out_of_budget),
        all(|s| s.unsupported),
        all(|s| s.findings)
    );
    println!(
        "tests {}; with Dafny's value {} of {} deterministic; preconditions unknown {}",
        all(|s| s.tests),
        all(|s| s.valued_tests),
        all(|s| s.deterministic_tests),
        all(|s| s.preconditions_unknown)
    );
    println!(
        "postcondition clauses {clauses}; executed {executed} ({:.1} %)",
        share(executed, clauses)
    );
}

/// Prints the time of generation, in all and by stage, and the peak memory.
fn print_resources(rows: &[Row], cold: f64, warm: f64) {
    let mut stages: BTreeMap<String, f64> = BTreeMap::new();
    for (stage, seconds) in summaries(rows).flat_map(|s| &s.stages) {
        *stages.entry(stage.clone()).or_default() += seconds;
    }
    let stages: Vec<_> = stages.iter().map(|(k, v)| format!("{k} {v:.2}")).collect();
    println!(
        "generation cold {cold:.1} s, warm {warm:.1} s; seconds by stage, cold, over all programs: {}; peak memory of a process {} MiB",
        stages.join(", "),
        summaries(rows)
            .filter_map(|s| s.peak_memory_bytes)
            .max()
            .unwrap_or(0)
            >> 20
    );
}

/// Prints the reasons of open goals, the most frequent first, and errors, failures and omissions of
/// each program.
fn print_open(rows: &[Row]) {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (reason, n) in summaries(rows).flat_map(|s| &s.counts.reasons) {
        *reasons.entry(reason).or_default() += n;
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|&(reason, n)| (std::cmp::Reverse(n), reason));
    for (reason, n) in reasons {
        println!("  {n:>5} open: {reason}");
    }
    for row in rows {
        for error in row.errors.iter().take(5) {
            println!("  {}: {error}", row.name);
        }
        for failed in &row.failed {
            println!("  {}: test failed: {failed}", row.name);
        }
        for (item, reason) in row.summary.iter().flat_map(|s| &s.counts.untranslated) {
            println!("  {}: not translated: {item}: {reason}", row.name);
        }
    }
}

fn write_json(path: &Path, rows: &[Row]) -> Result<(), String> {
    let value = |r: &Row| {
        serde_json::json!({
            "program": r.name, "errors": r.errors, "seconds": r.seconds, "compiled": r.compiled, "passed": r.passed, "failed": r.failed,
            "goals": r.summary.as_ref().map(|s| s.counts.goals), "covered": r.summary.as_ref().map(|s| s.counts.covered),
        })
    };
    let text = serde_json::to_string_pretty(&rows.iter().map(value).collect::<Vec<_>>())
        .map_err(|e| e.to_string())?;
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}
