//! Robustness tests with mutated programs: the resolver terminates quickly on everything that the
//! parser accepts.
#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    missing_docs,
    reason = "tests"
)]

#[path = "../../dafny-syntax/tests/mutate/mod.rs"]
mod mutate;

use std::time::{Duration, Instant};

use dafny_resolve::typed::Options;
use mutate::{programs_of_the_directory, run};

/// The maximum time for one program. It guards against endless loops and is generous for busy
/// machines.
const LIMIT: Duration = Duration::from_secs(5);

/// Parses and resolves a text. Returns whether it parsed.
fn check(text: &str) -> bool {
    let (file, diagnostics) = dafny_syntax::parse(0, text);
    if diagnostics
        .iter()
        .any(dafny_source::diagnostic::Diagnostic::is_error)
    {
        return false;
    }
    let started = Instant::now();
    let (_, diagnostics) = dafny_resolve::resolve(vec![file], Options::default());
    let took = started.elapsed();
    assert!(
        took < LIMIT,
        "{took:?} and {} diagnostics for\n{text}",
        diagnostics.len()
    );
    true
}

/// Runs `work` on a stack of the size that the tool uses.
fn with_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new()
        .stack_size(1 << 29)
        .spawn(work)
        .expect("a thread");
    thread.join().expect("no panic");
}

#[test]
fn mutated_programs_are_resolved_without_harm() {
    with_stack(|| {
        let programs = [
            include_str!("../../dafny-syntax/src/programs/declarations.dfy"),
            include_str!("../../dafny-syntax/src/programs/statements.dfy"),
        ];
        let seeds: Vec<String> = programs.iter().map(|p| (*p).to_owned()).collect();
        assert!(
            run(&seeds, 300, &check) > 10,
            "the mutations destroy too much"
        );
    });
}

/// Resolves 100,000 mutants of real programs:
/// `DTEST_MUTATE_DIR=dir cargo test -- --ignored mutants_of_real_programs`.
#[test]
#[ignore = "needs DTEST_MUTATE_DIR"]
fn mutants_of_real_programs_are_resolved_without_harm() {
    with_stack(|| {
        let seeds = programs_of_the_directory();
        let started = Instant::now();
        let resolved = run(&seeds, 100_000, &check);
        println!(
            "100000 mutants of {} files in {:.1} s, {resolved} resolved",
            seeds.len(),
            started.elapsed().as_secs_f64()
        );
    });
}
