//! Dafny's verdicts on small programs, compared with ours: we reject the programs that Dafny
//! rejects, with the first error on the same line, and accept those that it accepts.
//!
//! There are two collections. `verdicts/` has programs of our own, one or more for each rule. The
//! first line of each is `// accepted` or `// refused: 2, 5` (all lines with errors). It may be
//! followed by `// first: 5`, if the errors are not reported in the order of lines, and by `//
//! options: --NAME=VALUE`. The other collection is not part of the repository: programs with the
//! verdicts of Dafny 4.11.0, in `DTEST_OFFICIAL_DIR` (by default `shared/official/resolver` beside
//! the checkout); their first line is `// official: refuses LINE: MESSAGE; …` or `// official:
//! accepts; …`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::path::{Path, PathBuf};

use dafny_resolve::resolve;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::FunctionSyntax;
use dtest::cli::args::DafnyArgs;
use dtest::cli::args::GeneralTraits;
use dtest::cli::load::{Loaded, load_program};
use dtest_sorted::SortedSet;

/// Returns the lines with errors, in the order in which they are reported; 0 for an error without a
/// location.
fn error_lines(file: &Path) -> Vec<(u32, String)> {
    let settings = settings(&fs::read_to_string(file).unwrap_or_default());
    let here = std::env::current_dir().expect("there is a current directory");
    let loaded = load_program(
        &[std::path::absolute(file).expect("a path")],
        &settings,
        &here,
    );
    let Loaded {
        sources,
        files,
        diagnostics,
        ..
    } = match loaded {
        Ok(loaded) => loaded,
        Err(error) => return vec![(0, error.message)],
    };
    let mut errors: Vec<Diagnostic> = diagnostics
        .into_iter()
        .filter(Diagnostic::is_error)
        .collect();
    if errors.is_empty() {
        errors = resolve(files, settings.options())
            .1
            .into_iter()
            .filter(Diagnostic::is_error)
            .collect();
    }
    let line = |d: &Diagnostic| {
        d.span
            .and_then(|s| sources.line_column(s.start))
            .map_or(0, |place| place.line)
    };
    errors
        .iter()
        .map(|d| (line(d), format!("{} [{}]", d.message, d.id)))
        .collect()
}

/// Parses the options in the second line of a program.
fn settings(text: &str) -> DafnyArgs {
    let mut settings = DafnyArgs::default();
    let words = text
        .lines()
        .nth(1)
        .and_then(|line| line.strip_prefix("// options: "))
        .unwrap_or_default();
    for word in words.split_whitespace() {
        match word {
            "--function-syntax=3" => settings.function_syntax = Some(FunctionSyntax::Version3),
            "--reads-clauses-on-methods=true" => settings.reads_clauses_on_methods = Some(true),
            "--type-system-refresh=true" => settings.type_system_refresh = Some(true),
            "--general-newtypes=true" => settings.general_newtypes = Some(true),
            "--general-traits=full" => settings.general_traits = Some(GeneralTraits::Full),
            "--general-traits=datatype" => settings.general_traits = Some(GeneralTraits::Datatype),
            other => panic!("{other}: no option of these tests"),
        }
    }
    settings
}

/// Returns the Dafny programs of a directory, sorted by name.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).map(|entries| entries.filter_map(Result::ok).map(|e| e.path()));
    let mut files: Vec<PathBuf> = entries
        .into_iter()
        .flatten()
        .filter(|p| p.extension().is_some_and(|e| e == "dfy"))
        .collect();
    files.sort();
    files
}

/// Parses the first line of an official program: the line of the first error, or none.
fn official_verdict(text: &str) -> Option<Option<u32>> {
    let verdict = text.lines().next()?.strip_prefix("// official: ")?;
    match verdict.strip_prefix("refuses ") {
        Some(rest) => Some(Some(rest.split(':').next()?.parse().ok()?)),
        None => verdict.starts_with("accepts").then_some(None),
    }
}

/// Runs `check` on a stack as large as the tool's own, and fails with the disagreements that it
/// returns.
fn agree(check: impl FnOnce() -> Vec<String> + Send + 'static) {
    let worker = std::thread::Builder::new()
        .stack_size(1 << 28)
        .spawn(check)
        .expect("a thread");
    let differences = worker.join().expect("no panic");
    assert!(
        differences.is_empty(),
        "{} programs with another verdict:\n{}",
        differences.len(),
        differences.join("\n")
    );
}

#[test]
fn the_official_verdict_is_ours() {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/official/resolver");
    let folder = std::env::var_os("DTEST_OFFICIAL_DIR").map_or_else(default, PathBuf::from);
    agree(move || {
        let mut differences = Vec::new();
        for file in programs(&folder) {
            let text = fs::read_to_string(&file).expect("a program is readable");
            let Some(wanted) = official_verdict(&text) else {
                panic!("{}: no verdict in its first line", file.display())
            };
            let ours = error_lines(&file);
            if ours.first().map(|(line, _)| *line) != wanted {
                let name = file
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                differences.push(format!(
                    "{name}\n    {}\n    ours: {ours:?}",
                    text.lines().next().unwrap_or_default()
                ));
            }
        }
        differences
    });
}

#[test]
fn our_programs_have_the_verdict_that_they_state() {
    agree(|| {
        let mut differences = Vec::new();
        for file in programs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verdicts")) {
            let text = fs::read_to_string(&file).expect("a program is readable");
            let first = text.lines().next().unwrap_or_default();
            let wanted: SortedSet<u32> = match first.strip_prefix("// refused: ") {
                Some(lines) => lines
                    .split(',')
                    .map(|n| n.trim().parse().expect("a line number"))
                    .collect(),
                None => {
                    assert_eq!(
                        first,
                        "// accepted",
                        "{}: no verdict in its first line",
                        file.display()
                    );
                    SortedSet::new()
                }
            };
            let ours = error_lines(&file);
            let first_line = text.lines().find_map(|l| l.strip_prefix("// first: "));
            let is_first = first_line
                .is_none_or(|n| ours.first().is_some_and(|(line, _)| line.to_string() == n));
            if !is_first
                || ours
                    .iter()
                    .map(|(line, _)| *line)
                    .collect::<SortedSet<u32>>()
                    != wanted
            {
                let name = file
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                differences.push(format!("{name}\n    {first}\n    ours: {ours:?}"));
            }
        }
        differences
    });
}
