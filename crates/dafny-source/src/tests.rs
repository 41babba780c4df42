//! Tests of positions across files and of the one-line and JSON forms of diagnostics.

use crate::diagnostic::{Diagnostic, FlowStep, Severity, human, json, short};
use crate::{FileId, LineColumn, SourceMap, Span};

/// Two files: `a.dfy` has the positions 0 to 7, `b.dfy` those from 8.
fn two_files() -> SourceMap {
    let mut sources = SourceMap::new();
    sources.add("a.dfy", "var x\ny", true).expect("room");
    sources.add("b.dfy", "é := 1;\n", false).expect("room");
    sources
}

fn at(sources: &SourceMap, position: u32) -> Option<(u32, u32)> {
    sources
        .line_column(position)
        .map(|LineColumn { line, column }| (line, column))
}

#[test]
fn spans_join_and_contain() {
    let (a, b) = (Span::new(2, 4), Span::new(6, 9));
    assert_eq!(a.to(b), Span::new(2, 9));
    assert_eq!(b.to(a), Span::new(2, 9));
    assert!(a.to(b).contains_span(a) && !a.contains_span(b));
    assert!(a.contains_span(a));
}

#[test]
fn files_follow_each_other_in_one_space() {
    let sources = two_files();
    let bases: Vec<u32> = sources.files().map(|(_, f)| f.span().start).collect();
    assert_eq!(bases, [0, 8]);
    assert_eq!(sources.file_at(7).map(|(id, _)| id), Some(FileId(0)));
    assert_eq!(sources.file_at(8).map(|(id, _)| id), Some(FileId(1)));
    assert!(sources.file_at(1_000).is_none());
    assert!(SourceMap::new().file_at(0).is_none());
    assert!(sources.file(FileId(2)).is_none());
}

#[test]
fn lines_and_columns_count_from_one_by_characters() {
    let sources = two_files();
    for (position, expected) in [
        (0, Some((1, 1))),
        (4, Some((1, 5))),
        (5, Some((1, 6))),
        (6, Some((2, 1))),
        (7, Some((2, 2))),
        (8, Some((1, 1))),
        // The first character of `b.dfy` has two bytes.
        (10, Some((1, 2))),
        (1_000, None),
    ] {
        assert_eq!(at(&sources, position), expected, "{position}");
    }
}

#[test]
fn a_region_ends_within_its_file() {
    let sources = two_files();
    let region = sources.region(Span::new(4, 100)).expect("a region");
    assert_eq!(region.path, "a.dfy");
    assert_eq!((region.start.line, region.start.column), (1, 5));
    assert_eq!((region.end.line, region.end.column), (2, 2));
}

#[test]
fn places_are_printed_in_our_form_and_in_that_of_dafny() {
    let sources = two_files();
    assert_eq!(sources.locate(Span::new(6, 7)), "a.dfy:2:1");
    assert_eq!(sources.locate_as_dafny(Span::new(6, 7)), "a.dfy(2,0)");
    assert_eq!(sources.locate_as_dafny(Span::new(900, 901)), "<built in>");
}

#[test]
fn the_text_of_a_span_stays_in_its_file() {
    let sources = two_files();
    assert_eq!(sources.text(Span::new(4, 5)), "x");
    assert_eq!(sources.text(Span::new(8, 10)), "é");
    assert_eq!(sources.text(Span::new(4, 12)), "");
    assert_eq!(sources.text(Span::new(900, 901)), "");
}

#[test]
fn lines_have_no_line_break() {
    let sources = two_files();
    let line = |n| sources.text(sources.line(FileId(0), n));
    assert_eq!([line(1), line(2), line(3)], ["var x", "y", ""]);
    assert_eq!(sources.line(FileId(9), 1), Span::default());
}

fn diagnostic() -> Diagnostic {
    Diagnostic::error(
        "resolve/unknown-name",
        Span::new(4, 5),
        "`x` is not declared",
    )
    .with_label("here")
    .with_secondary(Span::new(6, 7), "declared here")
    .with_note("a note")
    .with_help("declare it")
}

#[test]
fn diagnostics_are_built_step_by_step() {
    let d = diagnostic();
    assert_eq!((d.severity, d.labels.len()), (Severity::Error, 1));
    assert!(d.is_error());
    let w = Diagnostic::warning("resolve/unused", Span::new(0, 1), "unused");
    assert!(!w.is_error());
    assert_eq!(Diagnostic::global("load/missing", "no file").span, None);
    let step = FlowStep {
        span: Span::new(0, 1),
        message: "enters".into(),
        depth: 0,
        state: Vec::new(),
    };
    assert_eq!(diagnostic().with_flow(vec![step.clone()]).flow, [step]);
    // Errors come before warnings and notes.
    assert!(Severity::Error < Severity::Warning && Severity::Warning < Severity::Note);
}

#[test]
fn the_short_form_is_one_line() {
    let sources = two_files();
    assert_eq!(
        short::render(&diagnostic(), &sources),
        "a.dfy:1:5: error: `x` is not declared [resolve/unknown-name]"
    );
    let d = Diagnostic::global("load/missing", "no file");
    assert_eq!(short::render(&d, &sources), "error: no file [load/missing]");
    let d = Diagnostic::warning("a/b", Span::new(8, 9), "odd");
    assert_eq!(short::render(&d, &sources), "b.dfy:1:1: warning: odd [a/b]");
}

#[test]
fn the_json_form_has_places_and_omits_what_is_missing() {
    let sources = two_files();
    assert_eq!(
        json::render(&diagnostic(), &sources),
        concat!(
            r#"{"kind":"diagnostic","id":"resolve/unknown-name","severity":"error","message":"`x` is not declared","#,
            r#""primary":{"path":"a.dfy","line":1,"column":5,"end_line":1,"end_column":6,"message":"here"},"#,
            r#""secondary":[{"path":"a.dfy","line":2,"column":1,"end_line":2,"end_column":2,"message":"declared here"}],"#,
            r#""notes":["a note"],"help":"declare it"}"#
        )
    );
    assert_eq!(
        json::render(&Diagnostic::global("load/missing", "no \"file\""), &sources),
        r#"{"kind":"diagnostic","id":"load/missing","severity":"error","message":"no \"file\"","secondary":[],"notes":[]}"#
    );
}

#[test]
fn the_human_form_shows_the_line_with_a_marker() {
    let sources = two_files();
    let text = human::render(&diagnostic(), &sources, false);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    assert_eq!(lines[0], "error[resolve/unknown-name]: `x` is not declared");
    assert!(lines[1].trim_start().starts_with("--> a.dfy:1:5"), "{text}");
    assert!(
        text.contains("1 | var x") && text.contains("^ here"),
        "{text}"
    );
    assert!(
        text.contains("note: a note") && text.contains("help: declare it"),
        "{text}"
    );
    assert!(human::render(&diagnostic(), &sources, true).contains('\u{1b}'));
}

#[test]
fn a_marker_over_several_lines_ends_with_the_first() {
    let sources = two_files();
    let d = Diagnostic::error("a/b", Span::new(4, 7), "wrong");
    let text = human::render(&d, &sources, false);
    assert!(
        text.contains("1 | var x") && !text.contains("2 | y"),
        "{text}"
    );
}

#[test]
fn a_span_outside_of_all_files_has_no_snippet() {
    let d = Diagnostic::error("a/b", Span::new(900, 901), "wrong");
    assert_eq!(
        human::render(&d, &two_files(), false).trim_end(),
        "error[a/b]: wrong"
    );
}
