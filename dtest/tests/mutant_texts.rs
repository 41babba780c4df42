//! Mutants correspond to their reported texts: each text resolves and behaves like its mutant, and
//! mutants that are proved equivalent differ on no random input. Checked on fixtures, on random
//! programs, and on a program with a mutant in every position.
//!
//! `DTEST_MUTANT_PROGRAMS=500 cargo test -p dtest --test mutant_texts -- --nocapture random` runs
//! that many programs; `DTEST_AGREEMENT_SEED` sets the first seed. `cargo dev mutants` does the
//! same on directories, and checks the texts with Dafny.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;

use dafny_random::{Shape, program};
use dafny_resolve::typed::Options;
use dafny_source::SourceMap;
use dtest::fuzz::mutant_texts::{Effort, Tally, hold};
use dtest::fuzz::options_of_random;
use dtest_search::{Bounds, Options as SearchOptions, Strength};

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable)
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(default)
}

fn held(text: &str, options: Options, effort: Effort) -> Tally {
    let syntax = dafny_syntax::Options {
        unicode_char: options.unicode_char,
        ..dafny_syntax::Options::default()
    };
    let mut sources = SourceMap::new();
    let id = sources.add("program.dfy", text, true).unwrap();
    let base = sources.file(id).unwrap().base;
    let (file, _) = dafny_syntax::parse_with(base, text, syntax);
    let (typed, diagnostics) = dafny_resolve::resolve(vec![file], options);
    let mut tally = Tally::default();
    // Fixtures with includes or several files are skipped.
    if diagnostics.iter().any(|d| d.is_error()) {
        return tally;
    }
    // The oracle needs some tests of each unit, not the best ones.
    let search = SearchOptions {
        strength: Strength::Mutants,
        caps: Bounds::START,
        rlimit: 50_000,
        seeds: 12,
        ..SearchOptions::default()
    };
    hold(
        typed,
        &sources,
        &search,
        effort,
        &mut tally,
        &mut |_, _, _| (),
    );
    tally
}

fn assert_none(tally: &Tally) {
    println!("{tally}");
    let faults: Vec<&String> = tally.faults().collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn mutants_of_fixtures_are_their_texts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    let mut folders: Vec<_> = std::fs::read_dir(root)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    folders.sort();
    let effort = Effort {
        tests: 4,
        inputs: 100,
        every: 8,
    };
    let mut tally = Tally::default();
    for folder in folders {
        if let Ok(text) = std::fs::read_to_string(folder.join("src/lib.dfy")) {
            tally.add(held(&text, Options::default(), effort));
        }
    }
    assert!(tally.with_text > 200 && tally.executions > 500, "{tally}");
    assert_none(&tally);
}

#[test]
fn mutants_of_random_programs_are_their_texts() {
    let count = number("DTEST_MUTANT_PROGRAMS", 5);
    let first = number("DTEST_AGREEMENT_SEED", 0);
    let effort = Effort {
        tests: 3,
        inputs: 30,
        every: 12,
    };
    let mut tally = Tally::default();
    for seed in first..first + count {
        let text = program(seed, Shape::of(seed));
        let one = held(&text, options_of_random(&text), effort);
        one.faults().for_each(|f| println!("seed {seed}: {f}"));
        tally.add(one);
    }
    println!("{tally}");
    let faults: Vec<&String> = tally.different.iter().chain(&tally.wrong).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    // A literal that replaces an operation need not have its type where nothing else gives it one.
    let refused = &tally.refused;
    assert!(refused.len() * 200 <= tally.with_text, "{refused:#?}");
}

/// A program with a mutant in every position.
const POSITIONS: &str = include_str!("mutant_positions.dfy");

#[test]
fn a_mutant_in_any_position_is_its_text() {
    let effort = Effort {
        tests: 8,
        inputs: 1_000,
        every: 1,
    };
    let tally = held(POSITIONS, Options::default(), effort);
    assert!(tally.programs == 1 && tally.with_text > 150, "{tally}");
    assert_none(&tally);
}
