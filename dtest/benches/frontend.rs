//! Benchmark of parsing and resolution, over directories of real programs, in one process.
//!
//! `cargo xtask bench [--standard-libraries DIR] [--one DIR]… DIR…`
//!
//! Every Dafny file below a DIR, or every program of its `manifest.json`, is a program; with
//! `--one`, all files below are one program. Each program is read, parsed and resolved with its
//! includes. The result is the fastest of [`ROUNDS`] rounds.

#[path = "../../crates/dtest-dev/src/support.rs"]
mod support;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use dtest::cli::args::DafnyArgs;
use support::Job;

/// Number of rounds.
const ROUNDS: usize = 3;

fn main() {
    support::on_large_stack(run);
}

fn run() {
    let mut args = std::env::args().skip(1);
    let (mut settings, mut jobs) = (DafnyArgs::default(), Vec::new());
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--one" => jobs.extend(support::all_jobs(
                &args
                    .next()
                    .map(PathBuf::from)
                    .into_iter()
                    .collect::<Vec<_>>(),
                &settings,
                true,
            )),
            // Cargo adds it.
            "--bench" => {}
            _ if support::setting(&arg, &mut args, &mut settings) => {}
            // The sources of the standard libraries are a program only if they are passed with
            // `--one`.
            _ => jobs.extend(support::jobs(&PathBuf::from(arg), &DafnyArgs::default())),
        }
    }
    if jobs.is_empty() {
        println!("no programs: name folders of Dafny programs");
        return;
    }
    let rounds: Vec<Round> = (0..ROUNDS).map(|_| round(&jobs)).collect();
    let Some(best) = rounds.into_iter().min_by_key(|r| r.parsing + r.resolving) else {
        return;
    };
    let (parsing, resolving) = (best.parsing.as_secs_f64(), best.resolving.as_secs_f64());
    println!(
        "{} programs, {:.1} MB, {} with errors",
        jobs.len(),
        best.bytes as f64 / 1e6,
        best.with_errors
    );
    println!(
        "reading and parsing {parsing:.3} s, resolving {resolving:.3} s, together {:.3} s",
        parsing + resolving
    );
}

/// The cost of one round.
#[derive(Default)]
struct Round {
    bytes: usize,
    with_errors: usize,
    parsing: Duration,
    resolving: Duration,
}

fn round(jobs: &[Job]) -> Round {
    let mut round = Round::default();
    for job in jobs {
        let start = Instant::now();
        let program = job.load();
        round.parsing += start.elapsed();
        round.bytes += program
            .sources
            .files()
            .map(|(_, f)| f.text.len())
            .sum::<usize>();
        let start = Instant::now();
        let (_, diagnostics) = dafny_resolve::resolve(program.trees, job.settings.options());
        round.resolving += start.elapsed();
        round.with_errors +=
            usize::from(!program.errors.is_empty() || diagnostics.iter().any(|d| d.is_error()));
    }
    round
}
