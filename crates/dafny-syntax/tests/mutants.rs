//! Robustness tests with mutated programs: the parser terminates on any text, within bounds, and
//! every accepted text prints to an equal tree.
#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    missing_docs,
    reason = "tests"
)]

mod mutate;

use dafny_syntax::erase::EraseSpans;
use dafny_syntax::{file_to_string, parse};
use mutate::{programs_of_the_directory, run};

/// Parses a text and checks the result. Returns whether the text was accepted.
fn check(text: &str) -> bool {
    let (mut file, diagnostics) = parse(7, text);
    let end = 7 + text.len() as u32;
    for d in &diagnostics {
        let span = d.span.expect("a place");
        assert!(
            7 <= span.start && span.start <= span.end && span.end <= end,
            "{d:?} lies outside of:\n{text}"
        );
    }
    if diagnostics.iter().any(|d| d.is_error()) {
        return false;
    }
    let printed = file_to_string(&file);
    let (mut again, diagnostics) = parse(0, &printed);
    assert!(
        !diagnostics.iter().any(|d| d.is_error()),
        "{diagnostics:?} in the printed text\n{printed}\nof\n{text}"
    );
    file.erase_spans();
    again.erase_spans();
    assert!(
        file == again,
        "another tree for\n{text}\nprinted as\n{printed}"
    );
    true
}

#[test]
fn mutated_programs_are_read_without_harm() {
    // Small seeds, so that many mutations are in the part that is parsed.
    let programs = [
        include_str!("../src/programs/declarations.dfy"),
        include_str!("../src/programs/statements.dfy"),
        include_str!("../src/programs/expressions.dfy"),
        include_str!("../src/programs/dafny3.dfy"),
    ];
    let lines = |p: &&str| {
        p.lines()
            .map(|l| format!("method M()\n{{\n{l}\n}}\n{l}\n"))
            .collect::<Vec<_>>()
    };
    let mut seeds: Vec<String> = programs.iter().flat_map(lines).collect();
    seeds.extend(programs.iter().map(|p| (*p).to_owned()));
    let accepted = run(&seeds, 6_000, &check);
    assert!(
        accepted > 100,
        "only {accepted} mutants are programs: the mutations destroy too much"
    );
}

/// Parses mutants of real programs:
/// `DTEST_MUTATE_DIR=dir cargo test -- --ignored mutants_of_a_directory`.
#[test]
#[ignore = "needs DTEST_MUTATE_DIR"]
fn mutants_of_a_directory_are_read_without_harm() {
    let seeds = programs_of_the_directory();
    let count = 100_000;
    let started = std::time::Instant::now();
    let accepted = run(&seeds, count, &check);
    println!(
        "{count} mutants of {} files in {:.1} s, {accepted} accepted",
        seeds.len(),
        started.elapsed().as_secs_f64()
    );
}
