//! Mutated programs: whatever the parser accepts, the resolver returns, and soon.
#![allow(clippy::expect_used, reason = "tests")]

use std::time::{Duration, Instant};

use crate::syntax::mutation::{programs_of_the_directory, run};
use crate::typed::Options;

/// Longest time for one program: a guard against endless loops, generous for machines that do other work.
const LIMIT: Duration = Duration::from_secs(5);

/// Parses and resolves; returns whether the text parsed.
fn check(text: &str) -> bool {
    let (file, diagnostics) = crate::syntax::parse(0, text);
    if diagnostics.iter().any(crate::diagnostic::Diagnostic::is_error) {
        return false;
    }
    let started = Instant::now();
    let (_, diagnostics) = super::resolve(vec![file], Options::default());
    let took = started.elapsed();
    assert!(took < LIMIT, "{took:?} and {} diagnostics for\n{text}", diagnostics.len());
    true
}

/// On a stack like the tool's.
fn with_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 29).spawn(work).expect("a thread");
    thread.join().expect("no panic");
}

#[test]
fn mutated_programs_are_resolved_without_harm() {
    with_stack(|| {
        let programs = [include_str!("../syntax/programs/declarations.dfy"), include_str!("../syntax/programs/statements.dfy")];
        let seeds: Vec<String> = programs.iter().map(|p| (*p).to_owned()).collect();
        assert!(run(&seeds, 300, &check) > 10, "the mutations destroy too much");
    });
}

/// `DTEST_MUTATE_DIR=dir cargo test -- --ignored mutants_of_real_programs`: 100,000 mutants of real programs.
#[test]
#[ignore = "needs DTEST_MUTATE_DIR"]
fn mutants_of_real_programs_are_resolved_without_harm() {
    with_stack(|| {
        let seeds = programs_of_the_directory();
        let started = Instant::now();
        let resolved = run(&seeds, 100_000, &check);
        println!("100000 mutants of {} files in {:.1} s, {resolved} resolved", seeds.len(), started.elapsed().as_secs_f64());
    });
}
