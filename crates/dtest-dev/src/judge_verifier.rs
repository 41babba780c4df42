//! `cargo dev judge-verifier`: compares `check` with Dafny's verifier. Verified obligations must
//! never be violated, and reported obligations have to be in our list.
//!
//! `cargo dev judge-verifier [--count N] [--seed S] [--changed N] [--timeout S] [--cache DIR]
//! [--filter TEXT] [--extra] DIR-OR-FILE…`
//!
//! The seed selects `--count` programs, all by default. Each one is checked unchanged, and
//! `--changed` times with one operator changed at a random place (programs that include others only
//! unchanged). Dafny is `DTEST_DAFNY`, or `../shared/dafny/dafny` beside the checkout. Its results
//! are cached by text in the directory of `--cache`, which also receives the changed programs. A
//! disagreement is one of:
//!
//! - `FALSE`: the program verifies, and an execution violates an obligation.
//! - `MISSING`: the verifier reports an error, and there is no obligation in our list on its line
//!   or its related lines.
//!
//! With `--extra`, violations on lines without an error of the verifier are listed for programs in
//! which it reports others, since it reports only a few errors of each declaration. The exit code
//! is 1 if there is a disagreement.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use dafny_syntax::TokenKind as T;
use dtest_search::Options;

use crate::Args;
use crate::check::{self, Asked, Expected, Outcome};
use crate::support::{self, Job};

/// Operators with their replacements.
const CHANGES: [(T, &str); 14] = [
    (T::Lt, "<="),
    (T::Le, "<"),
    (T::Gt, ">="),
    (T::Ge, ">"),
    (T::Eq, "!="),
    (T::Ne, "=="),
    (T::Plus, "-"),
    (T::Minus, "+"),
    (T::Star, "+"),
    (T::Slash, "*"),
    (T::AndAnd, "||"),
    (T::OrOr, "&&"),
    (T::Implies, "<==>"),
    (T::Iff, "==>"),
];

/// The verifier's result for a program.
struct Said {
    /// Whether the whole program was verified.
    verifies: bool,
    /// The errors. `None` if the verifier did not finish or rejects the program.
    errors: Option<Vec<Expected>>,
}

#[derive(Default)]
struct Table {
    verified: usize,
    reported: usize,
    skipped: usize,
    errors: usize,
    obligations: usize,
    wrong: usize,
    extra: usize,
}

struct Settings {
    verifier: Verifier,
    asked: Asked,
    extra: bool,
}

pub(crate) fn run(mut args: Args) -> Result<(), String> {
    let (mut count, mut seed, mut changed) = (usize::MAX, 1u64, 0u64);
    let (mut filter, mut paths, mut extra) = (String::new(), Vec::new(), false);
    let mut timeout = 5.0;
    let mut cache = std::env::temp_dir().join("judge-verifier");
    let number = |arg: Option<String>| arg.and_then(|v| v.parse::<u64>().ok());
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--count" => {
                count = number(args.next()).ok_or("--count: a number is expected")? as usize
            }
            "--seed" => seed = number(args.next()).ok_or("--seed: a number is expected")?,
            "--changed" => {
                changed = number(args.next()).ok_or("--changed: a number is expected")?
            }
            "--timeout" => {
                timeout = number(args.next()).ok_or("--timeout: seconds are expected")? as f64
            }
            "--cache" => cache = args.next().map(PathBuf::from).unwrap_or_default(),
            "--filter" => filter = args.next().unwrap_or_default(),
            "--extra" => extra = true,
            _path => paths.push(PathBuf::from(arg)),
        }
    }
    let settings = Settings {
        verifier: Verifier::new(cache)?,
        asked: Asked {
            options: Options {
                timeout: Duration::from_secs_f64(timeout),
                ..Options::default()
            },
            unit: String::new(),
            show: String::new(),
        },
        extra,
    };
    let mut jobs: Vec<Job> = support::all_jobs(&paths, &Default::default(), false);
    jobs.retain(|job| job.name().contains(&filter));
    // The seed determines the order, so that the first programs are a random sample.
    jobs.sort_by_key(|job| digest(&(seed, job.name())));
    let mut table = Table::default();
    for job in jobs.iter().take(count) {
        compare(job, &settings, &mut table);
        let text = job
            .files
            .first()
            .and_then(|f| std::fs::read_to_string(f).ok())
            .unwrap_or_default();
        if job.files.len() != 1 || text.contains("include \"") {
            continue;
        }
        for round in 0..changed {
            let Some(text) = with_one_change(&text, digest(&(seed, job.name(), round))) else {
                break;
            };
            let file = settings
                .verifier
                .cache
                .join(format!("{:016x}.dfy", digest(&text)));
            if std::fs::write(&file, text).is_ok() {
                let job = Job {
                    files: vec![file],
                    ..job.clone()
                };
                compare(&job, &settings, &mut table);
            }
        }
    }
    println!(
        "{} programs verify, {} have errors, {} were left out; {} errors and {} obligations compared: {} disagreements, {} violations that are not reported",
        table.verified,
        table.reported,
        table.skipped,
        table.errors,
        table.obligations,
        table.wrong,
        table.extra
    );
    if table.wrong > 0 {
        std::process::exit(1);
    }
    Ok(())
}

pub(crate) fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Finds the official Dafny.
fn find_dafny() -> Result<PathBuf, String> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/dafny/dafny");
    let dafny = std::env::var_os("DTEST_DAFNY").map_or_else(beside, PathBuf::from);
    if dafny.is_file() {
        Ok(dafny)
    } else {
        Err(format!(
            "no Dafny at {}: set DTEST_DAFNY to the path of its executable",
            dafny.display()
        ))
    }
}

/// The text with another operator at one random place. Returns `None` if there is no operator.
fn with_one_change(text: &str, seed: u64) -> Option<String> {
    let tokens = dafny_syntax::lex(0, text).tokens;
    let places: Vec<(std::ops::Range<usize>, &str)> = tokens
        .iter()
        .filter_map(|token| {
            let (_, new) = CHANGES.iter().find(|(kind, _)| *kind == token.kind)?;
            Some((token.span.start as usize..token.span.end as usize, *new))
        })
        .collect();
    let (place, new) = places.get(usize::try_from(seed % places.len().max(1) as u64).ok()?)?;
    Some(format!(
        "{}{new}{}",
        text.get(..place.start)?,
        text.get(place.end..)?
    ))
}

/// The options of a program as arguments of Dafny's command line. Returns `None` if it has
/// unsupported options.
fn words(job: &Job) -> Option<Vec<&str>> {
    let settings = &job.settings;
    let mut words = Vec::new();
    for (is_given, word) in [
        (
            settings.relax_definite_assignment,
            "--relax-definite-assignment",
        ),
        (settings.type_system_refresh, "--type-system-refresh"),
        (settings.general_newtypes, "--general-newtypes"),
        (
            settings.reads_clauses_on_methods,
            "--reads-clauses-on-methods",
        ),
    ] {
        if is_given == Some(true) {
            words.push(word);
        }
    }
    (settings.general_traits.is_none() && job.files.len() == 1).then_some(words)
}

/// Dafny's verifier, with a directory for its results.
pub(crate) struct Verifier {
    dafny: PathBuf,
    pub(crate) cache: PathBuf,
}

impl Verifier {
    pub(crate) fn new(cache: PathBuf) -> Result<Self, String> {
        std::fs::create_dir_all(&cache).map_err(|e| format!("{}: {e}", cache.display()))?;
        Ok(Self {
            dafny: find_dafny()?,
            cache,
        })
    }

    /// Returns the output for a file with the options of its program and others, from the cache if
    /// possible. `None` if the program has unsupported options.
    fn output(&self, job: &Job, file: &Path, others: &[&str]) -> Option<String> {
        let text = std::fs::read_to_string(file).ok()?;
        let mut words = words(job)?;
        words.extend(others);
        let cached = self
            .cache
            .join(format!("{:016x}.txt", digest(&(&text, &words))));
        if let Ok(output) = std::fs::read_to_string(&cached) {
            return Some(output);
        }
        let run = Command::new(&self.dafny)
            .args([
                "verify",
                "--allow-warnings",
                "--verification-time-limit",
                "20",
            ])
            .args(&words)
            .arg(file)
            .output()
            .ok()?;
        let output = String::from_utf8_lossy(&run.stdout).into_owned();
        // A run that failed on a busy machine is repeated. A failure to write the cache costs time only.
        if !output.contains("Internal error") {
            let _ = std::fs::write(&cached, &output);
        }
        Some(output)
    }

    /// [`Self::output`] for a text instead of the program's file.
    pub(crate) fn output_of_text(&self, job: &Job, text: &str, others: &[&str]) -> Option<String> {
        let file = self.cache.join(format!("{:016x}.dfy", digest(&text)));
        std::fs::write(&file, text).ok()?;
        self.output(job, &file, others)
    }
}

/// The verifier's result, from the cache if possible.
fn verify(job: &Job, settings: &Settings) -> Option<Said> {
    let file = job.files.first()?;
    let output = settings.verifier.output(job, file, &[])?;
    Some(read(&output, file))
}

/// Whether the verifier ran to its end.
pub(crate) fn is_complete(output: &str) -> bool {
    output.contains("Dafny program verifier finished with")
}

/// Parses the errors in the verifier's output.
fn read(output: &str, file: &Path) -> Said {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let place = |line: &str| -> Option<(usize, String)> {
        let (at, rest) = line.split_once("): ")?;
        let (path, at) = at.rsplit_once('(')?;
        let is_here = path.ends_with(&*name);
        let number = at.split(',').next()?.parse().ok().filter(|_| is_here)?;
        Some((number, rest.to_owned()))
    };
    let mut errors: Vec<Expected> = Vec::new();
    for (line, text) in output.lines().filter_map(place) {
        if let Some(text) = text.strip_prefix("Error: ") {
            errors.push(Expected {
                line,
                text: text.to_owned(),
                related: Vec::new(),
            });
        } else if text.starts_with("Related ")
            && let Some(error) = errors.last_mut()
        {
            error.related.push(line);
        }
    }
    let summary = output
        .lines()
        .find(|l| l.contains("Dafny program verifier finished with"));
    let is_complete = summary.is_some_and(|s| {
        !["time out", "out of resource", "inconclusive"]
            .iter()
            .any(|text| s.contains(text))
    });
    Said {
        verifies: is_complete && errors.is_empty(),
        errors: is_complete.then_some(errors),
    }
}

/// Compares the verdicts on one program.
fn compare(job: &Job, settings: &Settings, table: &mut Table) {
    let Some(said) = verify(job, settings) else {
        table.skipped += 1;
        return;
    };
    let Some(errors) = said.errors else {
        table.skipped += 1;
        return;
    };
    let outcome = check::check(job, &settings.asked, None);
    if outcome.refused.is_some() {
        table.skipped += 1;
        return;
    }
    table.obligations += outcome.said.len() + outcome.shown.len();
    let certain = || outcome.shown.iter().filter(|s| s.certain);
    if said.verifies {
        table.verified += 1;
        // The verifier has no obligation for the truth of an axiom.
        for shown in certain().filter(|s| !s.is_claim) {
            table.wrong += 1;
            println!("FALSE {}", shown.text);
        }
        return;
    }
    table.reported += 1;
    for error in &errors {
        table.errors += 1;
        if !is_listed(&outcome, error) {
            table.wrong += 1;
            println!("MISSING {}:{}: {}", outcome.name, error.line, error.text);
        }
    }
    for shown in certain().filter(|s| !errors.iter().any(|e| check::matches(s, e))) {
        table.extra += 1;
        if settings.extra {
            println!("extra {}", shown.text);
        }
    }
}

/// Whether our list has an obligation on the lines of an error.
fn is_listed(outcome: &Outcome, error: &Expected) -> bool {
    let is_near = |line: usize| line == error.line || error.related.contains(&line);
    let covers = |(from, to): (usize, usize)| (from..=to).any(is_near);
    outcome
        .said
        .iter()
        .any(|(lines, clause, _)| covers(*lines) || clause.is_some_and(is_near))
        || outcome
            .shown
            .iter()
            .any(|s| covers(s.lines) || s.clause.is_some_and(is_near))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_operator_is_changed() {
        let text = "method M(a: int) ensures a < 3 { assert a + 1 == 4; }";
        let changed: std::collections::BTreeSet<String> = (0..40)
            .filter_map(|seed| with_one_change(text, seed))
            .collect();
        assert_eq!(
            changed.into_iter().collect::<Vec<_>>(),
            [
                "method M(a: int) ensures a < 3 { assert a + 1 != 4; }",
                "method M(a: int) ensures a < 3 { assert a - 1 == 4; }",
                "method M(a: int) ensures a <= 3 { assert a + 1 == 4; }",
            ]
        );
        assert_eq!(with_one_change("method M() { }", 7), None);
    }

    #[test]
    fn errors_are_parsed_with_their_related_positions() {
        let output = "a/p.dfy(3,4): Error: assertion might not hold\n\
                      a/p.dfy(9,2): Related location: here\n\n\
                      Dafny program verifier finished with 1 verified, 1 error\n";
        let said = read(output, Path::new("b/p.dfy"));
        let errors = said.errors.expect("a complete run");
        assert!(!said.verifies);
        assert_eq!(
            errors
                .iter()
                .map(|e| (e.line, e.text.as_str(), e.related.clone()))
                .collect::<Vec<_>>(),
            [(3, "assertion might not hold", vec![9])]
        );
        assert!(read("no such file", Path::new("p.dfy")).errors.is_none());
    }
}
