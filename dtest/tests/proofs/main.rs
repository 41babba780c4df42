//! Validates the verdicts of `check` by executions: proofs on random inputs, verdicts within bounds
//! on all small inputs, and assertions against their negations.
//!
//! `DTEST_PROOF_PROGRAMS=2000 cargo test -p dtest --test proofs -- --nocapture` runs that many
//! programs, starting at the seed `DTEST_PROOF_SEED`. `DTEST_PROOF_DIRS=a:b` names directories with
//! further programs, of which at most `DTEST_PROOF_FILES` each are used.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod generate;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use dafny_resolve::typed::Program;
use dtest::fuzz::proofs::{Effort, Tally, hold, negate};

/// Maximum number of negated assertions per file.
const MAX_NEGATED: usize = 3;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable)
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(default)
}

fn resolved(text: &str) -> Option<Program> {
    let options = dafny_resolve::typed::Options::default();
    let (file, diagnostics) = dafny_syntax::parse_with(0, text, dafny_syntax::Options::default());
    let (typed, more) = dafny_resolve::resolve(vec![file], options);
    let has_errors = diagnostics.iter().chain(&more).any(|d| d.is_error());
    (!has_errors).then_some(typed)
}

/// Runs the work for each number below `count`, on all processors.
fn each(count: u64, name: &(dyn Fn(u64) -> String + Sync), work: &(dyn Fn(u64) -> Tally + Sync)) {
    let (next, whole) = (AtomicU64::new(0), Mutex::new(Tally::default()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= count {
                        return;
                    }
                    let mut found = work(at);
                    for wrong in &mut found.wrong {
                        *wrong = format!("{}: {wrong}", name(at));
                        println!("{wrong}");
                    }
                    let mut whole = whole.lock().unwrap();
                    whole.add(found);
                    if whole.programs % 100 == 0 {
                        println!("{whole}");
                    }
                }
            });
        }
    });
    let whole = whole.into_inner().unwrap();
    println!("{whole}");
    assert!(whole.wrong.is_empty(), "{}", whole.wrong.join("\n"));
}

#[test]
fn an_assertion_and_its_negation_never_both_hold_and_no_input_refutes_a_claim() {
    let (count, first) = (
        number("DTEST_PROOF_PROGRAMS", 12),
        number("DTEST_PROOF_SEED", 0),
    );
    let effort = Effort::default();
    each(count, &|at| format!("seed {}", first + at), &|at| {
        let (text, mut tally) = (generate::program(first + at), Tally::default());
        let Some(typed) = resolved(&text) else {
            tally.wrong.push(format!("not a program\n{text}"));
            return tally;
        };
        let asserted = hold(typed, &text, &effort, &mut tally);
        negate(&text, &asserted, usize::MAX, &effort, &resolved, &mut tally);
        tally
    });
}

#[test]
fn claims_about_programs_in_folders_are_not_refuted() {
    let Ok(dirs) = std::env::var("DTEST_PROOF_DIRS") else {
        return;
    };
    let most = number("DTEST_PROOF_FILES", u64::MAX) as usize;
    let files: Vec<PathBuf> = dirs
        .split(':')
        .flat_map(|dir| files(Path::new(dir)).into_iter().take(most))
        .collect();
    let effort = Effort::default();
    let name = |at: u64| files[at as usize].display().to_string();
    each(files.len() as u64, &name, &|at| {
        let mut tally = Tally::default();
        let Ok(text) = std::fs::read_to_string(&files[at as usize]) else {
            return tally;
        };
        if let Some(typed) = resolved(&text) {
            let asserted = hold(typed, "", &effort, &mut tally);
            negate(
                &text,
                &asserted,
                MAX_NEGATED,
                &effort,
                &resolved,
                &mut tally,
            );
        }
        tally
    });
}

/// Returns the programs in a directory, recursively, in order.
fn files(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        if path.is_dir() {
            all.extend(files(&path));
        } else if path.extension().is_some_and(|e| e == "dfy") {
            all.push(path);
        }
    }
    all
}
