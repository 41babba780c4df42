//! `cargo dev judge-resolver`: compares the front end with the official language tests. Programs
//! that resolve there have to resolve, and expected errors of the parser or resolver have to be
//! reported.
//!
//! `cargo dev judge-resolver [--filter TEXT] [--show accept|reject|extra|all] DIR`
//!
//! DIR contains tests as in Dafny's repository: programs with `// RUN:` lines, each with an
//! `.expect` file. The flags and the exit code of a run determine the expectation: 2 is an error
//! before verification, any other code is a program that resolves. Expected errors are compared by
//! file and line.
//!
//! `--show` lists programs: `accept` those that we reject wrongly, `reject` the expected lines
//! without an error of ours, and `extra` the lines of our errors that are not expected.

use crate::Args;
use crate::support;
use dtest_sorted::{SortedMap, SortedSet};
use std::path::{Path, PathBuf};

use crate::support::Job;
use dtest::cli::args::DafnyArgs;

/// The official result for a program.
enum Expectation {
    /// The program resolves. It may fail to verify or to run.
    Resolves,
    /// The errors of the parser or resolver: file name, line, message.
    Errors(Vec<(String, u32, String)>),
}

struct Run {
    job: Job,
    expectation: Expectation,
}

#[derive(Default)]
struct Totals {
    accepted: usize,
    refused: usize,
    reject_runs: usize,
    all_lines: usize,
    none: usize,
    expected: usize,
    found: usize,
    ours: usize,
    extra: usize,
    panics: usize,
    skipped: SortedMap<&'static str, usize>,
    missing: SortedMap<String, (usize, String)>,
    wrong: SortedMap<String, (usize, String)>,
}

pub(crate) fn run(mut args: Args) {
    let (mut filter, mut show, mut paths) = (String::new(), String::new(), Vec::new());
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--filter" => filter = args.next().unwrap_or_default(),
            "--show" => show = args.next().unwrap_or_default(),
            _ => paths.push(PathBuf::from(arg)),
        }
    }
    let mut totals = Totals::default();
    for file in paths
        .iter()
        .flat_map(|p| support::dafny_files(p))
        .filter(|f| f.to_string_lossy().contains(&filter))
    {
        match runs(&file) {
            Ok(runs) => runs.iter().for_each(|run| try_run(run, &show, &mut totals)),
            Err(why) => *totals.skipped.entry(why).or_default() += 1,
        }
    }
    report(&totals);
}

fn report(t: &Totals) {
    let percent = |n: usize, of: usize| 100.0 * n as f64 / of.max(1) as f64;
    let runs = t.accepted + t.refused;
    println!(
        "accept: {} of {runs} runs resolve ({:.1} %)",
        t.accepted,
        percent(t.accepted, runs)
    );
    println!(
        "reject: {} runs: {} with an error on every expected line, {} with no error at all; {} of {} lines ({:.1} %)",
        t.reject_runs,
        t.all_lines,
        t.none,
        t.found,
        t.expected,
        percent(t.found, t.expected)
    );
    println!(
        "extra: {} of our {} lines with errors in those runs are not expected; {} panics",
        t.extra, t.ours, t.panics
    );
    println!("skipped: {:?}", t.skipped);
    for (title, table) in [("not reported", &t.missing), ("reported wrongly", &t.wrong)] {
        println!("{title}:");
        let mut rows: Vec<_> = table.iter().collect();
        rows.sort_by_key(|(_, (n, _))| std::cmp::Reverse(*n));
        for (message, (n, first)) in rows.iter().take(70) {
            println!("  {n:5} {message}  ({first})");
        }
    }
}

fn try_run(run: &Run, show: &str, totals: &mut Totals) {
    let name = run.job.name();
    // A panic is counted and does not end the comparison.
    let attempt = std::panic::catch_unwind(|| support::errors_of(&run.job));
    let Ok(errors) = attempt else {
        totals.panics += 1;
        println!("PANIC {name}");
        return;
    };
    let shown = |what: &str| show == what || show == "all";
    let expected = match &run.expectation {
        Expectation::Resolves => {
            if errors.is_empty() {
                totals.accepted += 1;
                return;
            }
            totals.refused += 1;
            for (file, line, message, id) in &errors {
                count(
                    &mut totals.wrong,
                    &format!("[{id}]"),
                    &format!("{file}:{line}"),
                );
                if shown("accept") {
                    println!("REFUSED {name}: {file}:{line}: {message} [{id}]");
                }
            }
            return;
        }
        Expectation::Errors(expected) => expected,
    };
    totals.reject_runs += 1;
    // Compare by file and line: the messages differ.
    let wanted: SortedSet<(&str, u32)> =
        expected.iter().map(|(f, l, _)| (f.as_str(), *l)).collect();
    let ours: SortedSet<(&str, u32)> = errors.iter().map(|(f, l, ..)| (f.as_str(), *l)).collect();
    totals.expected += wanted.len();
    totals.ours += ours.len();
    let found = wanted.intersection(&ours).count();
    totals.found += found;
    totals.all_lines += usize::from(found == wanted.len());
    totals.none += usize::from(errors.is_empty());
    for (file, line, message) in expected
        .iter()
        .filter(|(f, l, _)| !ours.contains(&(f.as_str(), *l)))
    {
        count(
            &mut totals.missing,
            &support::kind_of(message),
            &format!("{file}:{line}"),
        );
        if shown("reject") {
            println!("MISSING {name}: {file}({line}): {message}");
        }
    }
    for (file, line, message, id) in errors
        .iter()
        .filter(|(f, l, ..)| !wanted.contains(&(f.as_str(), *l)))
    {
        totals.extra += 1;
        if shown("extra") {
            println!("EXTRA {name}: {file}({line}): {message} [{id}]");
        }
    }
}

fn count(table: &mut SortedMap<String, (usize, String)>, key: &str, place: &str) {
    table
        .entry(key.to_owned())
        .or_insert_with(|| (0, place.to_owned()))
        .0 += 1;
}

/// The runs of a test that concern resolution, or the reason why there are none.
fn runs(file: &Path) -> Result<Vec<Run>, &'static str> {
    let text = std::fs::read_to_string(file).map_err(|_| "not UTF-8")?;
    let commands: Vec<&str> = text
        .lines()
        .filter_map(|l| l.trim_start().strip_prefix("// RUN:"))
        .map(str::trim)
        .collect();
    if commands.is_empty() {
        return Err("no RUN line");
    }
    let mut runs = Vec::new();
    let (mut seen, mut several) = (SortedSet::new(), SortedSet::new());
    for command in commands {
        for (settings, code, suffixes) in meaning_of(command) {
            let key = format!("{settings:?}");
            if code == 2 {
                several.insert(key.clone());
            }
            if !seen.insert((key, code)) {
                continue;
            }
            let expect = suffixes
                .iter()
                .map(|s| PathBuf::from(format!("{}{s}", file.display())))
                .find(|p| p.exists());
            let expectation = match (code, expect) {
                (0 | 4, _) => Expectation::Resolves,
                (2, Some(expect)) => Expectation::Errors(expected_errors(
                    &std::fs::read_to_string(expect).unwrap_or_default(),
                )),
                (_, _) => continue,
            };
            if matches!(&expectation, Expectation::Errors(errors) if errors.is_empty()) {
                continue;
            }
            runs.push(Run {
                job: Job {
                    files: vec![file.to_path_buf()],
                    settings,
                    expect: None,
                },
                expectation,
            });
        }
    }
    let refresh = |r: &Run| r.job.settings.type_system_refresh == Some(true);
    let both = |r: &Run| matches!(r.expectation, Expectation::Errors(_)) && !refresh(r);
    // The expectations of several runs with different options are in one file and cannot be
    // separated.
    if several.len() > 1 && runs.iter().filter(|r| both(r)).count() != 1 {
        runs.retain(|r| matches!(r.expectation, Expectation::Resolves));
    }
    if runs.is_empty() {
        Err("no run that says something")
    } else {
        Ok(runs)
    }
}

/// The options, exit code and possible suffixes of the expectation file of a command, for each type
/// system.
fn meaning_of(command: &str) -> Vec<(DafnyArgs, u32, &'static [&'static str])> {
    const PLAIN: &[&str] = &[".expect"];
    let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    let file = words.iter().position(|w| w.trim_matches('"') == "%s");
    if file.is_none()
        || words.iter().any(|w| {
            w.contains("%S/")
                || w == "--stdin"
                || w.starts_with("--standard-libraries")
                || w.starts_with("--input")
        })
    {
        return Vec::new();
    }
    // The intermediate versions of the function syntax are not supported.
    if words
        .iter()
        .any(|w| w.contains("migration3to4") || w.contains("experimental"))
    {
        return Vec::new();
    }
    let given = support::flags(&words);
    let number = |name: &str| {
        let mut at = words
            .iter()
            .enumerate()
            .filter_map(|(i, w)| Some((i, w.strip_prefix(name)?)));
        at.next()
            .and_then(|(i, rest)| match rest.strip_prefix(['=', ':']) {
                Some(value) => value.parse::<u32>().ok(),
                None => words.get(i + 1)?.parse().ok(),
            })
    };
    let legacy = support::flags(&[
        "--type-system-refresh=false --general-traits=legacy --general-newtypes=false".to_owned(),
    ]);
    let refresh = support::flags(&[
        "--type-system-refresh --general-traits=datatype --general-newtypes".to_owned(),
    ]);
    let wrapped = number("%exits-with").unwrap_or(0);
    let has_word = |name: &str| words.iter().any(|w| w == name);
    if has_word("%testDafnyForEachResolver") {
        let code = number("--expect-exit-code").unwrap_or(0);
        let new = number("--refresh-exit-code").unwrap_or(code);
        return vec![
            (given.clone().or(legacy), code, PLAIN),
            (given.or(refresh), new, &[".refresh.expect", ".expect"]),
        ];
    }
    if has_word("%testDafnyForEachCompiler") {
        let mut all = vec![(given.clone().or(legacy), 0, PLAIN)];
        if let Some(code) = number("--refresh-exit-code") {
            all.push((
                given.or(refresh),
                code,
                &[".refresh.expect", ".verifier.expect"],
            ));
        }
        return all;
    }
    if has_word("!") {
        return Vec::new();
    }
    if ["%verify", "%resolve", "%run", "%build"]
        .iter()
        .any(|w| has_word(w))
    {
        return vec![(given.or(refresh), wrapped, PLAIN)];
    }
    if has_word("%translate")
        || has_word("%baredafny")
            && ["verify", "resolve", "run", "build", "translate"]
                .iter()
                .any(|w| has_word(w))
    {
        // The defaults of the newest Dafny version are those of the new type system.
        return vec![(given.or(refresh), wrapped, PLAIN)];
    }
    if has_word("%dafny") {
        return vec![(given.or(legacy), wrapped, PLAIN)];
    }
    Vec::new()
}

/// The errors with positions in an expectation: `file(line,column): Error: message`.
fn expected_errors(text: &str) -> Vec<(String, u32, String)> {
    let error = |line: &str| {
        let (place, message) = line
            .split_once("): Error: ")
            .or_else(|| line.split_once("): error "))?;
        let (file, position) = place.rsplit_once('(')?;
        let line = position.split(',').next()?.parse().ok()?;
        Some((
            file.rsplit('/').next()?.to_owned(),
            line,
            message.to_owned(),
        ))
    };
    text.lines().filter_map(error).collect()
}
