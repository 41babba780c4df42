//! `cargo dev check`: searches Dafny programs for violations, and compares them with the errors of
//! Dafny's verifier.
//!
//! `cargo dev check [--show shown|missed|silent|extra|open|all] [--filter TEXT] [--unit TEXT]
//! [--timeout S] [--jobs N] [--thesis FILE] DIR-OR-FILE…`
//!
//! `plant-mistakes` creates folders of programs with one error in each. For a folder whose
//! `manifest.json` lists errors (kind `verify`), the table counts the errors of each message that
//! an execution demonstrates, and the programs with a violation (`--show silent` lists those
//! without). Violations that the verifier does not report are listed as *extra*.
//!
//! Other programs are assumed to verify: each violation in them is a false alarm, and the exit code
//! is 1. A second table counts the errors by topic (`CLASSES`), with our verdict for those that are
//! not demonstrated.
//!
//! With `--thesis FILE`, the text of Spettel's thesis, the table has the programs of its Table 6.2:
//! inputs that Delfy generated with and without static analysis, errors of the verifier,
//! violations, and the candidates that were executed with errors of the verifier and without.

use crate::Args;
use crate::support;
use dtest_desugar::GeneratedCode as _;
use dtest_sorted::SortedMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use dafny_source::{SourceMap, Span};
use dtest::cli::args::DafnyArgs;
use dtest_ir::GoalReason;
use dtest_search::Options;
use dtest_search::check::{Given, Verdict, Violation};

/// The topics of verifier errors, in the order in which they are matched: a name, and parts of
/// messages.
const CLASSES: [(&str, &[&str]); 10] = [
    ("definite assignment", &["definite-assignment"]),
    (
        "constraint of a type",
        &[
            "subset constraints",
            "subset type constraint",
            "newtype constraint",
            "satisfy constraint",
            "known to be an instance",
            "proved to fit in",
            "be a natural number",
        ],
    ),
    ("frame", &["modifies clause", "reads clause"]),
    (
        "postcondition",
        &["postcondition", "ensures could not", "yield-ensures"],
    ),
    ("precondition", &["precondition"]),
    ("assertion", &["assertion could not"]),
    ("invariant", &["invariant"]),
    ("index or range", &["out of range"]),
    ("division", &["division by zero"]),
    ("null", &["null"]),
];

/// An error of Dafny's verifier.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    pub(crate) line: usize,
    pub(crate) text: String,
    pub(crate) related: Vec<usize>,
}

/// A violation found by an execution, by lines.
pub(crate) struct Shown {
    pub(crate) lines: (usize, usize),
    pub(crate) clause: Option<usize>,
    pub(crate) text: String,
    /// Whether it depends on nothing but results that the contract of code without a body allows.
    pub(crate) certain: bool,
    /// Whether it refutes a lemma without a proof.
    pub(crate) is_claim: bool,
}

#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) name: String,
    /// The reason why the program was skipped.
    pub(crate) refused: Option<String>,
    pub(crate) shown: Vec<Shown>,
    counts: [usize; 5],
    open: Vec<String>,
    /// The verdicts on obligations without a violation, with the lines of the obligation and of its
    /// clause.
    pub(crate) said: Vec<((usize, usize), Option<usize>, String)>,
    executions: u64,
    seconds: f64,
    /// The unit that took longest, with its time.
    slowest: (f64, String),
}

pub(crate) struct Asked {
    pub(crate) options: Options,
    pub(crate) unit: String,
    pub(crate) show: String,
}

pub(crate) fn run(mut args: Args) {
    let (mut paths, mut settings, mut filter, mut jobs) =
        (Vec::new(), DafnyArgs::default(), String::new(), 1);
    let mut thesis = None;
    let mut asked = Asked {
        options: Options {
            timeout: Duration::from_secs(5),
            ..Options::default()
        },
        unit: String::new(),
        show: String::new(),
    };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--show" => asked.show = args.next().unwrap_or_default(),
            "--filter" => filter = args.next().unwrap_or_default(),
            "--unit" => asked.unit = args.next().unwrap_or_default(),
            "--jobs" => jobs = args.next().and_then(|v| v.parse().ok()).unwrap_or(1),
            "--timeout" => {
                asked.options.timeout =
                    Duration::from_secs_f64(args.next().and_then(|v| v.parse().ok()).unwrap_or(5.0))
            }
            "--thesis" => thesis = args.next().map(PathBuf::from),
            "--no-proofs" => asked.options.prove = false,
            _ if support::setting(&arg, &mut args, &mut settings) => {}
            _ => paths.push(PathBuf::from(arg)),
        }
    }
    // The programs to check. If a manifest lists errors, only the programs that it names.
    let mut work: Vec<(support::Job, Option<Vec<Expected>>)> = Vec::new();
    for path in &paths {
        let errors = errors_of(path);
        for job in support::jobs(path, &settings) {
            let key = job
                .files
                .first()
                .and_then(|f| f.strip_prefix(path).ok())
                .map(|f| f.display().to_string())
                .unwrap_or_default();
            let expected = match &errors {
                Some(errors) => match errors.get(&key) {
                    Some(expected) => Some(expected.clone()),
                    None => continue,
                },
                None => None,
            };
            if job.name().contains(&filter) {
                work.push((job, expected));
            }
        }
    }
    if let Some(thesis) = thesis {
        return tell_thesis(&thesis, &work, &asked);
    }
    // Workers take the next program each, and the results are sorted afterwards.
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let worker = || {
                while let Some((i, (job, expected))) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, work.get(i)?)))
                {
                    let outcome = check(job, &asked, None);
                    if asked.show == "all" || asked.show == "progress" {
                        eprintln!(
                            "{:6.1} s {} ({:.1} s {})",
                            outcome.seconds, outcome.name, outcome.slowest.0, outcome.slowest.1
                        );
                    }
                    if expected.is_none() {
                        for s in outcome.shown.iter() {
                            println!(
                                "{} {}",
                                if s.certain { "FALSE ALARM" } else { "assuming" },
                                s.text
                            );
                        }
                    }
                    done.lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner)
                        .push((i, outcome, expected.clone()));
                }
            };
            std::thread::Builder::new()
                .stack_size(1 << 29)
                .spawn_scoped(scope, worker)
                .map_or_else(|e| eprintln!("{e}"), drop);
        }
    });
    let mut done = done
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(i, ..)| *i);
    report(&done, &asked);
}

/// The errors of kind `verify` by program, if a manifest lists errors.
fn errors_of(path: &std::path::Path) -> Option<SortedMap<String, Vec<Expected>>> {
    let text = std::fs::read_to_string(path.join("manifest.json")).ok()?;
    let serde_json::Value::Array(rows) = serde_json::from_str(&text).ok()? else {
        return None;
    };
    rows.first()?.get("errors")?;
    let number = |v: &serde_json::Value| v.as_u64().unwrap_or(0) as usize;
    let expected = |e: &serde_json::Value| Expected {
        line: number(&e["line"]),
        text: e["text"].as_str().unwrap_or_default().to_owned(),
        related: e["related"]
            .as_array()
            .into_iter()
            .flatten()
            .map(number)
            .collect(),
    };
    let of_row = |row: &serde_json::Value| {
        let errors = row["errors"].as_array()?.iter().map(expected).collect();
        Some((row["path"].as_str()?.to_owned(), errors))
    };
    Some(
        rows.iter()
            .filter(|r| r["kind"] == "verify")
            .filter_map(of_row)
            .collect(),
    )
}

/// Searches a program for violations. With `lines`, only for violations of obligations on these
/// lines.
pub(crate) fn check(job: &support::Job, asked: &Asked, lines: Option<&[Expected]>) -> Outcome {
    let start = Instant::now();
    let mut outcome = Outcome {
        name: job.name(),
        ..Outcome::default()
    };
    let support::Program {
        sources,
        trees,
        errors,
    } = job.load();
    if let Some(error) = errors.first() {
        outcome.refused = Some(error.message.clone());
        return outcome;
    }
    // Programs for the older command line may read unassigned variables.
    let mut settings = job.settings.clone();
    if settings.relax_definite_assignment.is_none() && is_old_command_line(job) {
        settings.relax_definite_assignment = Some(true);
    }
    let (typed, diagnostics) = dafny_resolve::resolve(trees, settings.options());
    if let Some(error) = diagnostics.iter().find(|d| d.is_error()) {
        outcome.refused = Some(error.message.clone());
        return outcome;
    }
    let program = dtest::pipeline::lower(typed, dtest_ir::Criteria::obligations());
    let is_named = |s: Span| sources.file_at(s.start).is_some_and(|(_, f)| f.named);
    let mut units = dtest_lower::units::units_with_obligations(&program.typed, is_named);
    units.retain(|unit| unit.path.contains(&asked.unit));
    // With expected errors, search only for violations on their lines.
    let is_at = |span: Span| {
        let line = |at: u32| sources.line_column(at).map_or(0, |p| p.line as usize);
        let (from, to) = (line(span.start), line(span.end));
        lines.is_none_or(|all| {
            all.iter()
                .flat_map(|e| e.related.iter().chain([&e.line]))
                .any(|l| from <= *l && *l <= to)
        })
    };
    let wanted = |span: Span, clause: Option<Span>| is_at(span) || clause.is_some_and(is_at);
    let (units, _) = dtest::pipeline::check::with_wanted(&program, units, &wanted);
    let results =
        dtest::pipeline::check::search(&program, &units, &asked.options, 1, None, &wanted, &|_| {});
    for (unit, result) in units.iter().zip(&results) {
        let seconds = (result.times.total.as_secs_f64(), unit.path.clone());
        outcome.slowest =
            std::cmp::max_by(outcome.slowest.clone(), seconds, |a, b| a.0.total_cmp(&b.0));
        outcome.executions += result.executions;
        for (goal, verdict) in &result.obligations {
            let Some(goal) = program.goal(unit.callable, *goal) else {
                continue;
            };
            let clause = if let GoalReason::Broken { clause, .. } = &goal.reason {
                *clause
            } else {
                None
            };
            let line = |at: u32| sources.line_column(at).map_or(0, |p| p.line as usize);
            let mut say = |what: String| {
                outcome.said.push((
                    (line(goal.span.start), line(goal.span.end)),
                    clause.map(|c| line(c.start)),
                    what,
                ))
            };
            match verdict {
                Verdict::Violated(_) => {}
                Verdict::Holds => say("holds".to_owned()),
                Verdict::HoldsAssuming(_) => say("holds assuming".to_owned()),
                Verdict::NotReached => say("not reached".to_owned()),
                Verdict::HoldsWithin { .. } => say("within bounds".to_owned()),
                Verdict::Open(reason) => say(format!("open: {reason}")),
            }
            match verdict {
                Verdict::Violated(v) => {
                    outcome.counts[usize::from(!v.is_certain())] += 1;
                    outcome
                        .shown
                        .push(shown(&program, &sources, unit, v, clause));
                }
                Verdict::Holds | Verdict::HoldsAssuming(_) | Verdict::NotReached => {
                    outcome.counts[2] += 1
                }
                Verdict::HoldsWithin { .. } => outcome.counts[3] += 1,
                Verdict::Open(reason) => {
                    outcome.counts[4] += 1;
                    outcome.open.push(format!(
                        "{} {}: {reason}",
                        sources.locate(goal.span),
                        unit.path
                    ));
                }
            }
        }
        outcome.shown.extend(
            result
                .others
                .iter()
                .map(|v| shown(&program, &sources, unit, v, None)),
        );
    }
    outcome.seconds = start.elapsed().as_secs_f64();
    outcome
}

/// Whether the program is written for Dafny's older command line, which relaxes definite assignment
/// by default.
fn is_old_command_line(job: &support::Job) -> bool {
    let text = job
        .files
        .first()
        .and_then(|f| std::fs::read_to_string(f).ok())
        .unwrap_or_default();
    let run = text
        .lines()
        .find(|l| l.contains("RUN:"))
        .unwrap_or_default();
    run.contains("%dafny ") && !run.contains("/definiteAssignment")
}

fn shown(
    program: &dtest_ir::Program,
    sources: &SourceMap,
    unit: &dtest_lower::units::Unit,
    v: &Violation,
    clause: Option<Span>,
) -> Shown {
    let line = |at: u32| sources.line_column(at).map_or(0, |p| p.line as usize);
    let span = v.failure.span;
    let inputs = dtest_search::describe::inputs(program, unit.callable, &v.inputs).join(", ");
    let how = if v.choices.is_some() {
        " by other choices"
    } else {
        ""
    };
    let given = if v.given.is_empty() {
        String::new()
    } else {
        format!(" ASSUMING {:?}", v.given)
    };
    Shown {
        lines: (line(span.start), line(span.end)),
        clause: clause.map(|c| line(c.start)),
        text: format!(
            "{}: {:?} {} in {} with {inputs}{how}{given}",
            sources.locate(span),
            v.failure.kind,
            v.failure.message,
            unit.path
        ),
        certain: v.given.iter().all(|g| {
            matches!(
                g,
                Given::Answer(_) | Given::Disregarded(..) | Given::Undecided(..)
            )
        }),
        is_claim: program.typed.is_claim(unit.callable),
    }
}

/// Prints the table of the thesis, for the programs that exist.
fn tell_thesis(
    thesis: &std::path::Path,
    work: &[(support::Job, Option<Vec<Expected>>)],
    asked: &Asked,
) {
    let text = std::fs::read_to_string(thesis).unwrap_or_default();
    let rows: Vec<(String, usize, usize)> = text
        .lines()
        .skip_while(|l| !l.starts_with("Table 6.1: "))
        .filter_map(row)
        .collect();
    println!(
        "{:45} {:>14}  {:>6} {:>10} {:>9} {:>8}",
        "program", "Delfy's inputs", "errors", "violations", "at errors", "all"
    );
    let mut sums = [0; 5];
    for (job, expected) in work {
        let path = job.name();
        let of: Vec<_> = rows
            .iter()
            .filter(|(name, ..)| path.ends_with(&format!("/{name}")))
            .collect();
        if of.is_empty() {
            continue;
        }
        let errors = expected.as_deref().unwrap_or_default();
        let whole = check(job, asked, None);
        let at = if errors.is_empty() {
            Outcome::default()
        } else {
            check(job, asked, Some(errors))
        };
        let figures: Vec<String> = of
            .iter()
            .map(|(_, with, without)| format!("{with}/{without}"))
            .collect();
        let violations = whole.shown.iter().filter(|s| s.certain).count();
        let name = path.rsplit('/').next().unwrap_or_default();
        println!(
            "{name:45} {:>14}  {:>6} {violations:>10} {:>9} {:>8}  {}",
            figures.join(" "),
            errors.len(),
            at.executions,
            whole.executions,
            whole.refused.unwrap_or_default()
        );
        let delfy: (usize, usize) = of.iter().fold((0, 0), |(a, b), (_, x, y)| (a + x, b + y));
        for (sum, n) in sums.iter_mut().zip([
            delfy.0,
            delfy.1,
            errors.len(),
            violations,
            at.executions as usize,
        ]) {
            *sum += n;
        }
    }
    println!(
        "all: inputs {}/{}, errors {}, violations {}, executions at errors {}",
        sums[0], sums[1], sums[2], sums[3], sums[4]
    );
}

/// Parses a row of the thesis's table: the file, and Delfy's figures. A name with two digits at its
/// end denotes a part of a file; `vsi_b1` is `b1`.
fn row(line: &str) -> Option<(String, usize, usize)> {
    let mut cells = line.split('\t');
    let name = cells.next()?.strip_suffix(".dfy")?;
    let (with, without) = (
        cells.next()?.trim().parse().ok()?,
        cells.next()?.trim().parse().ok()?,
    );
    let whole = name.strip_prefix("vsi_").unwrap_or(name);
    let part = whole.len().checked_sub(2).filter(|at| {
        whole
            .get(*at..)
            .is_some_and(|d| d.bytes().all(|b| b.is_ascii_digit()))
    });
    Some((
        format!(
            "{}.dfy",
            part.and_then(|at| whole.get(..at)).unwrap_or(whole)
        ),
        with,
        without,
    ))
}

pub(crate) fn matches(shown: &Shown, expected: &Expected) -> bool {
    let within = |line: usize| shown.lines.0 <= line && line <= shown.lines.1;
    if ["postcondition could not be proved", "yield-ensures"]
        .iter()
        .any(|text| expected.text.contains(text))
    {
        return expected.related.iter().any(|l| within(*l))
            || expected.related.is_empty() && within(expected.line);
    }
    within(expected.line) && shown.lines.1 - shown.lines.0 < 12
}

/// The verdict on the obligations that an error may be about.
fn said_of(outcome: &Outcome, expected: &Expected) -> String {
    let is_near = |line: usize| line == expected.line || expected.related.contains(&line);
    let at = outcome.said.iter().filter(|((from, to), clause, _)| {
        (*from..=*to).any(|l| l == expected.line) && to - from < 12
            || clause.is_some_and(is_near)
            || expected.related.contains(from)
    });
    let said: dtest_sorted::SortedSet<&str> = at.map(|(_, _, what)| what.as_str()).collect();
    let refused = outcome.refused.as_deref().map_or("nothing", |_| "refused");
    if said.is_empty() {
        refused.to_owned()
    } else {
        said.into_iter().collect::<Vec<_>>().join(" | ")
    }
}

fn report(done: &[(usize, Outcome, Option<Vec<Expected>>)], asked: &Asked) {
    let wants = |what: &str| asked.show == what || asked.show == "all";
    let mut table: SortedMap<String, (usize, usize)> = SortedMap::new();
    let mut classes: SortedMap<&str, [usize; 7]> = SortedMap::new();
    let (mut refused, mut extra, mut alarms, mut executions, mut counts) = (0, 0, 0, 0, [0; 5]);
    let mut seconds: Vec<(f64, &str, &str)> = Vec::new();
    let (mut wrong, mut told) = (0, 0);
    for (_, outcome, expected) in done {
        executions += outcome.executions;
        counts
            .iter_mut()
            .zip(outcome.counts)
            .for_each(|(a, b)| *a += b);
        if let Some(why) = &outcome.refused {
            refused += 1;
            if wants("refused") {
                println!("refused {}: {why}", outcome.name);
            }
        } else {
            seconds.push((outcome.seconds, &outcome.name, &outcome.slowest.1));
        }
        if wants("open") {
            outcome.open.iter().for_each(|o| println!("open {o}"));
        }
        if expected.is_some() {
            wrong += 1;
            if outcome.shown.iter().any(|s| s.certain) {
                told += 1;
            } else if wants("silent") {
                println!(
                    "silent {}: {}",
                    outcome.name,
                    outcome.refused.as_deref().unwrap_or("no violation")
                );
            }
        }
        // Without a manifest, the program verifies: each violation is a false alarm.
        let Some(expected) = expected else {
            alarms += outcome.shown.iter().filter(|s| s.certain).count();
            continue;
        };
        for e in expected {
            let found = outcome.shown.iter().find(|s| s.certain && matches(s, e));
            let row = table.entry(message(&e.text)).or_default();
            row.0 += 1;
            row.1 += usize::from(found.is_some());
            let class = classes.entry(class(&e.text)).or_default();
            class[0] += 1;
            class[if found.is_some() {
                1
            } else {
                verdict_column(&said_of(outcome, e))
            }] += 1;
            match found {
                Some(s) if wants("shown") => {
                    println!("shown {}:{} {} — {}", outcome.name, e.line, e.text, s.text)
                }
                None if wants("missed") => println!(
                    "missed {}:{} {} — {}",
                    outcome.name,
                    e.line,
                    e.text,
                    said_of(outcome, e)
                ),
                Some(_) | None => {}
            }
        }
        // Violations that match no expected error. They may be right, because the verifier stops
        // early.
        for s in outcome.shown.iter().filter(|s| {
            s.certain
                && !expected
                    .iter()
                    .any(|e| matches(s, e) || s.clause.is_some_and(|c| e.related.contains(&c)))
        }) {
            extra += 1;
            if wants("extra") {
                println!("extra {}", s.text);
            }
        }
    }
    let mut rows: Vec<_> = table.into_iter().collect();
    rows.sort_by_key(|(_, (n, _))| std::cmp::Reverse(*n));
    let (all, found) = rows
        .iter()
        .fold((0, 0), |(a, b), (_, (n, k))| (a + n, b + k));
    for (text, (n, k)) in &rows {
        println!("{n:5} {k:5}  {text}");
    }
    if all > 0 {
        println!(
            "{all:5} {found:5}  all: {:.1} % shown; {extra} violations that the verifier does not report",
            100.0 * found as f64 / all as f64
        );
        println!("{told} of {wrong} programs with errors have a violation");
    }
    tell_classes(&classes);
    println!(
        "{} programs, {refused} refused; violated {}, assuming {}, holds {}, within bounds {}, open {}; {executions} executions; {alarms} false alarms",
        done.len(),
        counts[0],
        counts[1],
        counts[2],
        counts[3],
        counts[4]
    );
    seconds.sort_by(|a, b| b.0.total_cmp(&a.0));
    let median = seconds.get(seconds.len() / 2).map_or(0.0, |s| s.0);
    println!(
        "seconds a program: median {median:.2}, all {:.0}",
        seconds.iter().map(|s| s.0).sum::<f64>()
    );
    seconds
        .iter()
        .take(5)
        .for_each(|(s, name, unit)| println!("  {s:.1} {name} ({unit})"));
    if alarms > 0 {
        std::process::exit(1);
    }
}

/// The topic of an error.
fn class(text: &str) -> &'static str {
    CLASSES
        .iter()
        .find(|(_, parts)| parts.iter().any(|p| text.contains(p)))
        .map_or("others", |(class, _)| class)
}

/// The column of the table of topics for a verdict.
fn verdict_column(said: &str) -> usize {
    match said {
        "holds" => 2,
        "refused" => 5,
        "nothing" => 6,
        said if said.contains("open: ") => 4,
        _within_bounds => 3,
    }
}

fn tell_classes(classes: &SortedMap<&str, [usize; 7]>) {
    if classes.is_empty() {
        return;
    }
    println!(
        "{:22} reported shown  holds within  open refused no obligation",
        "errors that speak of"
    );
    let row = |name: &str, n: &[usize; 7]| {
        println!(
            "{name:22} {:8} {:5} {:6} {:6} {:5} {:7} {:10}",
            n[0], n[1], n[2], n[3], n[4], n[5], n[6]
        );
    };
    let mut named = [0; 7];
    for (name, counts) in classes {
        row(name, counts);
        if *name != "others" {
            named.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
        }
    }
    row("all but others", &named);
    println!(
        "{:.1} % of all but others are shown",
        100.0 * named[1] as f64 / named[0].max(1) as f64
    );
}

/// Removes the names from a message.
fn message(text: &str) -> String {
    let mut out = String::new();
    for (i, part) in text.split('\'').enumerate() {
        out.push_str(if i % 2 == 0 { part } else { "_" });
    }
    let digits: String = out
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    digits.chars().take(90).collect()
}
