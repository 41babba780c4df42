//! Every kind of proof obligation of Dafny's verifier: `check` makes it where Dafny does, and
//! nowhere else.
//!
//! `obligations/KIND.dfy` has a program for each kind of [`KINDS`], which `docs/obligations.md`
//! explains to users. A line that ends in `// !` has an obligation that Dafny 4.11 reports and
//! `check` shows to be violated. A line that ends in `// -` has one that Dafny reports and `check`
//! does not make. No other line has a violation. `verified/` has programs that Dafny verifies: none
//! of their lines has a violation, except for false axioms. The first line may have options: `//
//! options: --NAME`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::path::{Path, PathBuf};

use dafny_source::Span;
use dtest::cli::args::DafnyArgs;
use dtest::cli::load::load_program;
use dtest_search::Options;
use dtest_search::check::Verdict;
use dtest_sorted::SortedSet;

/// The kinds of obligations, in the order of the table for users.
const KINDS: [&str; 48] = [
    "assertion",
    "calculation-step",
    "forall-postcondition",
    "precondition",
    "postcondition",
    "own-postcondition",
    "extreme-lemma",
    "by-method",
    "loop-invariant",
    "yield-ensures",
    "termination",
    "frame-modifies",
    "frame-reads",
    "new-shrinks",
    "override",
    "override-frame",
    "override-measure",
    "subset-constraint",
    "newtype-result",
    "function-type",
    "conversion",
    "witness",
    "for-range",
    "divisor",
    "shift-amount",
    "char-range",
    "ordinal-subtraction",
    "multiplicity",
    "prefix-limit",
    "index",
    "non-null",
    "constructor",
    "ghost-constructor",
    "pattern",
    "match",
    "alternative",
    "array-size",
    "initializer",
    "lambda-body",
    "comprehension-keys",
    "forall-targets",
    "distinct-targets",
    "definite-assignment",
    "such-that",
    "such-that-unique",
    "allocated",
    "older",
    "field-assignment",
];

/// Returns the lines with violations, certain ones and others.
fn violated_lines(file: &Path) -> SortedSet<usize> {
    let text = fs::read_to_string(file).expect("a program is readable");
    let mut settings = DafnyArgs::default();
    let options = text
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("// options: "));
    for word in options.unwrap_or_default().split_whitespace() {
        match word {
            "--type-system-refresh" => settings.type_system_refresh = Some(true),
            "--general-newtypes" => settings.general_newtypes = Some(true),
            "--relax-definite-assignment" => settings.relax_definite_assignment = Some(true),
            other => panic!("{other}: no option of these tests"),
        }
    }
    let here = std::env::current_dir().expect("there is a current directory");
    let loaded = load_program(
        &[std::path::absolute(file).expect("a path")],
        &settings,
        &here,
    )
    .expect("the program is read");
    let (typed, diagnostics) = dafny_resolve::resolve(loaded.files, settings.options());
    let errors: Vec<_> = diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{}: {errors:?}", file.display());
    let sources = loaded.sources;
    let program = dtest::pipeline::lower(typed, dtest_ir::Criteria::obligations());
    let is_named = |s: Span| sources.file_at(s.start).is_some_and(|(_, f)| f.named);
    let units = dtest_lower::units::units_with_obligations(&program.typed, is_named);
    let results = dtest::pipeline::check::search(
        &program,
        &units,
        &Options::default(),
        1,
        None,
        &|_, _| true,
        &|_| {},
    );
    let line = |span: Span| {
        sources
            .line_column(span.start)
            .map_or(0, |p| p.line as usize)
    };
    let mut lines = SortedSet::new();
    for result in &results {
        for (_, verdict) in &result.obligations {
            if let Verdict::Violated(v) = verdict {
                lines.insert(line(v.failure.span));
            }
        }
        lines.extend(result.others.iter().map(|v| line(v.failure.span)));
    }
    lines
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name)
}

/// Returns the Dafny programs of a directory, sorted by name.
fn programs(name: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder(name)).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "dfy"))
        .collect();
    files.sort();
    files
}

/// Returns the lines on which `check` differs from the marks of the programs, on a stack as large
/// as the tool's own.
fn differences(files: Vec<PathBuf>) -> Vec<String> {
    let work = move || {
        let mut found = Vec::new();
        for file in files {
            let text = fs::read_to_string(&file).expect("a program is readable");
            let violated = violated_lines(&file);
            for (number, line) in (1..).zip(text.lines()) {
                let is_marked = line.ends_with("// !");
                if is_marked != violated.contains(&number) {
                    let what = if is_marked {
                        "no violation"
                    } else {
                        "a violation"
                    };
                    found.push(format!("{}:{number}: {what}: {line}", file.display()));
                }
            }
        }
        found
    };
    let worker = std::thread::Builder::new()
        .stack_size(1 << 28)
        .spawn(work)
        .expect("a thread");
    worker.join().expect("no panic")
}

#[test]
fn every_kind_of_obligation_has_a_program_and_a_row_of_the_documentation() {
    let names: SortedSet<String> = programs("obligations")
        .iter()
        .filter_map(|p| Some(p.file_stem()?.to_str()?.to_owned()))
        .collect();
    let kinds: SortedSet<String> = KINDS.iter().map(|k| (*k).to_owned()).collect();
    assert_eq!(names, kinds);
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/obligations.md");
    let book = fs::read_to_string(book).expect("the chapter is there");
    let rows: SortedSet<String> = book
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .map(str::to_owned)
        .collect();
    assert_eq!(rows, kinds);
}

#[test]
fn obligations_that_dafny_reports_are_violated() {
    let differences = differences(programs("obligations"));
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn no_obligation_of_a_program_that_verifies_is_violated() {
    let differences = differences(programs("verified"));
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
