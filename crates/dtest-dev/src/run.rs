//! `cargo dev run`: runs `Main` of Dafny programs in the interpreter and compares the output with
//! the expected one.
//!
//! `cargo dev run [--show PATH-PART] [--steps N] MANIFEST.json`
//!
//! The manifest lists programs as `{"path", "expect", "flags"}`, with paths relative to its folder.
//! `--show` prints both outputs of the programs whose path contains the part.

use crate::Args;
use crate::support;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crate::support::Job;
use dafny_source::diagnostic::Diagnostic;
use dtest::cli::args::DafnyArgs;
use dtest_interp::{Interp, Limits, Outcome};
use dtest_sorted::SortedMap;

enum Verdict {
    Same,
    Different(String, String),
    Refused(String),
    Stopped(String, String, String),
}

pub(crate) fn run(mut args: Args) {
    let (mut show, mut steps, mut manifest) = (None, 200_000_000, PathBuf::from("manifest.json"));
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--show" => show = args.next(),
            "--steps" => steps = args.next().and_then(|n| n.parse().ok()).unwrap_or(steps),
            _ => manifest = PathBuf::from(arg),
        }
    }
    let jobs = support::jobs(&manifest, &DafnyArgs::default());
    let mut counts: SortedMap<&str, usize> = SortedMap::new();
    for job in jobs
        .iter()
        .filter(|j| show.as_ref().is_none_or(|s| j.name().contains(s.as_str())))
    {
        let started = Instant::now();
        let verdict = verdict(job, steps);
        let seconds = started.elapsed().as_secs_f64();
        let (kind, detail) = match &verdict {
            Verdict::Same => ("same", String::new()),
            Verdict::Different(want, got) => ("different", difference(want, got)),
            Verdict::Refused(why) => ("refused", why.clone()),
            Verdict::Stopped(why, ..) => ("stopped", why.clone()),
        };
        *counts.entry(kind).or_default() += 1;
        println!("{kind:9} {seconds:6.2} s  {}  {detail}", job.name());
        if let (Some(_), Verdict::Different(want, got) | Verdict::Stopped(_, want, got)) =
            (&show, &verdict)
        {
            println!("--- expected\n{want}\n--- printed\n{got}\n---");
        }
    }
    println!("{counts:?} of {}", jobs.len());
}

fn verdict(job: &Job, steps: u64) -> Verdict {
    let support::Program {
        sources: map,
        trees,
        errors,
    } = job.load();
    let refused = |d: &Diagnostic| {
        Verdict::Refused(format!(
            "{}: {}",
            d.span.map_or_else(String::new, |s| map.locate(s)),
            d.message
        ))
    };
    if let Some(e) = errors.first() {
        return refused(e);
    }
    let (typed, diagnostics) = dafny_resolve::resolve(trees, job.settings.options());
    if let Some(d) = diagnostics.iter().find(|d| d.is_error()) {
        return refused(d);
    }
    let program = dtest_lower::lower(Arc::new(typed));
    let limits = Limits {
        steps,
        check_calls: false,
        ..Limits::default()
    };
    let interp = Interp::new(&program, limits);
    let mut printed = String::new();
    let result = interp.run_main(&[], &mut |text| printed.push_str(text));
    let want = normal(
        &job.expect
            .as_ref()
            .and_then(|p| std::fs::read_to_string(p).ok())
            .unwrap_or_default(),
    );
    // The message of a halted program is part of the output. All other endings are reported.
    let stopped = match result.outcome {
        Outcome::Returned(_) => None,
        Outcome::Halted { span, message } => {
            let at = map
                .line_column(span.start)
                .map_or_else(String::new, |at| format!("({},{})", at.line, at.column - 1));
            let file = job
                .files
                .first()
                .and_then(|f| f.file_name())
                .map_or_else(String::new, |f| f.to_string_lossy().into_owned());
            printed.push_str(&format!("[Program halted] {file}{at}: {message}\n"));
            None
        }
        Outcome::Failed(f) => Some(format!("{}: {}", map.locate(f.span), f.message)),
        Outcome::OutOfFuel(which) => Some(format!("out of {which}")),
        Outcome::Infeasible(span) => Some(format!("{}: infeasible", map.locate(span))),
        Outcome::Unsupported(why) => Some(why.to_string()),
    };
    let got = normal(&printed);
    match stopped {
        Some(why) => Verdict::Stopped(why, want, got),
        None if want == got => Verdict::Same,
        None => Verdict::Different(want, got),
    }
}

/// Removes messages of the verifier and trailing blanks.
fn normal(text: &str) -> String {
    let lines = text
        .lines()
        .filter(|l| !l.starts_with("Dafny program verifier"));
    lines
        .map(str::trim_end)
        .collect::<Vec<_>>()
        .join("\n")
        .trim()
        .to_owned()
}

fn difference(want: &str, got: &str) -> String {
    let pair = want.lines().zip(got.lines()).find(|(a, b)| a != b);
    let short = |s: &str| s.chars().take(70).collect::<String>();
    match pair {
        Some((a, b)) => format!("expected `{}`, printed `{}`", short(a), short(b)),
        None => format!(
            "{} lines expected, {} printed",
            want.lines().count(),
            got.lines().count()
        ),
    }
}
