//! A workload for counting instructions: runs the stages up to a given one on the programs of the
//! command line.
//!
//! `instructions STAGE FILE…` with one of lex, parse, resolve, lower, encode. `cargo xtask bench`
//! runs it under an instruction counter and takes differences, so that a regression of a stage is
//! visible without a clock.

use std::sync::Arc;

use dafny_resolve::typed;
use dtest_encode::{self as encode, Bounds, Mode};
use dtest_lower as lower;

fn main() {
    let work = std::thread::Builder::new().stack_size(1 << 29).spawn(run);
    if let Ok(work) = work {
        let _ = work.join();
    }
}

fn run() {
    let mut args = std::env::args().skip(1).filter(|a| a != "--bench");
    let Some(stage) = args.next() else {
        println!("a stage and files are needed: `cargo xtask bench` gives them");
        return;
    };
    let done = args
        .filter_map(|file| std::fs::read_to_string(file).ok())
        .map(|text| through(&stage, &text))
        .sum::<usize>();
    // The result is printed, so that the compiler cannot remove the work.
    println!("{done}");
}

/// Runs the stages. Returns a number that depends on all results.
fn through(stage: &str, text: &str) -> usize {
    if stage == "read" {
        return text.len();
    }
    if stage == "lex" {
        return dafny_syntax::lex(0, text).tokens.len();
    }
    let (file, diagnostics) = dafny_syntax::parse(0, text);
    if stage == "parse" {
        return diagnostics.len();
    }
    let (program, diagnostics) = dafny_resolve::resolve(vec![file], typed::Options::default());
    if stage == "resolve" || diagnostics.iter().any(|d| d.is_error()) {
        return diagnostics.len();
    }
    let program = lower::lower(Arc::new(program));
    if stage == "lower" {
        return program.procedures.len();
    }
    let units = lower::units::units(&program.typed, |_| true);
    let terms = |u: &lower::units::Unit| {
        let generic = program
            .procedures
            .get(&u.callable)
            .map_or(0, |p| p.type_params.len());
        let encoding = encode::encode(
            &program,
            u.callable,
            &vec![typed::Type::Int; generic],
            Bounds::START,
            Mode::Cut,
        );
        encoding.map_or(0, |e| e.terms().len())
    };
    units.iter().map(terms).sum()
}
