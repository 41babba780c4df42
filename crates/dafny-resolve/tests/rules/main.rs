//! Rules of the language in pairs: for each, a program that keeps it and one that breaks it. The
//! verdicts, and the line of the first error, are those of Dafny 4.11.
#![allow(clippy::expect_used, reason = "tests")]

mod classes;
mod datatypes;
mod expressions;
mod ghost;
mod modules;
mod statements;
mod types;

use dafny_resolve::typed::Options;

/// Returns the lines of the errors of a program.
fn error_lines(source: &str) -> Vec<u32> {
    let (sources, _, diagnostics) =
        dafny_resolve::resolve_text("test.dfy", source, Options::default());
    let errors = diagnostics.iter().filter(|d| d.is_error());
    let line = |span| sources.line_column(span).map_or(0, |at| at.line);
    errors
        .map(|d| d.span.map_or(0, |s| line(s.start)))
        .collect()
}

/// Checks rows of a context, a text that keeps a rule in it, and one that breaks it. The text takes
/// the place of `#`, or that of `@` on a line of its own; the first error is on its line.
#[track_caller]
fn rules(table: &[(&str, &str, &str)]) {
    for (context, good, bad) in table {
        let place = context.replace('@', "\n#\n");
        let (before, _) = place.split_once('#').expect("a place for the text");
        let line = before.matches('\n').count() as u32 + 1;
        let (good, bad) = (place.replace('#', good), place.replace('#', bad));
        assert_eq!(error_lines(&good), [0; 0], "{good}");
        assert_eq!(error_lines(&bad).first(), Some(&line), "{bad}");
    }
}
