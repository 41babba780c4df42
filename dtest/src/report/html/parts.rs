//! The common parts of pages: the frame, escaping, bars, names of outcomes.

use std::fmt::Write;

use super::Options;
use crate::report::actual::Counts;
use crate::report::annotate::{Annotated, State};
use crate::report::{GoalOutcome, Totals};

/// The report that the pages are written from.
pub(super) struct Document<'a> {
    pub(super) options: &'a Options,
    /// The file name of each source's page.
    pub(super) names: &'a [String],
    pub(super) sources: &'a [Annotated<'a>],
    /// Whether coverage was measured.
    pub(super) is_measured: bool,
}

/// The class, glyph and name of a state, so that it does not depend on colour alone.
pub(super) fn look(state: State) -> (&'static str, &'static str, &'static str) {
    match state {
        State::Covered => ("c", "✓", "covered"),
        State::Proved => ("u", "∅", "unreachable, proved"),
        State::Bounded => ("w", "≤", "unreachable within bounds"),
        State::Open => ("o", "✗", "open"),
    }
}

/// Escapes text for HTML.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            // Characters that documents must not contain, and characters that change the direction
            // of text.
            '\0'..='\u{8}'
            | '\u{b}'..='\u{1f}'
            | '\u{7f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

/// Formats a phrase; text between backticks becomes code.
pub(super) fn phrase(text: &str) -> String {
    let mut out = String::new();
    for (i, part) in text.split('`').enumerate() {
        let part = escape(part);
        out += &if i % 2 == 1 {
            format!("<code>{part}</code>")
        } else {
            part
        };
    }
    out
}

/// Describes the outcome of a goal, without its tests.
pub(super) fn outcome(outcome: &GoalOutcome) -> String {
    match outcome {
        GoalOutcome::Covered { .. } => "covered".to_owned(),
        GoalOutcome::Finding => "open: reached only by findings".to_owned(),
        GoalOutcome::Choice => format!("open: {}", GoalOutcome::BY_CHOICE),
        GoalOutcome::Unreachable { reason } => format!("unreachable, proved: {}", phrase(reason)),
        GoalOutcome::Given { reason } => format!("open: not reached, given {}", phrase(reason)),
        GoalOutcome::UnreachableAtCaps { bound, larger_size } => {
            GoalOutcome::at_caps(bound, *larger_size)
        }
        GoalOutcome::UnreachableWithinBounds { bound } => {
            format!("unreachable within bounds ({})", phrase(bound))
        }
        GoalOutcome::OutOfBudget { reason } => format!("open: out of budget: {}", phrase(reason)),
        GoalOutcome::Unsupported { reason } => format!("open: not supported: {}", phrase(reason)),
    }
}

/// Formats the glyph of a state, with its name for screen readers.
pub(super) fn glyph(state: State) -> String {
    let (class, glyph, name) = look(state);
    format!("<span class=\"g {class}\" role=\"img\" aria-label=\"{name}\">{glyph}</span>")
}

/// Formats a count with its noun: `1 goal`, `2 goals`.
pub(super) fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// The columns of every table of totals, with the headings of the text report: key, heading,
/// number.
pub(super) fn columns(t: &Totals) -> [(&'static str, &'static str, usize); 9] {
    [
        ("units", "units", t.units),
        ("goals", "goals", t.goals),
        ("covered", "covered", t.covered),
        (
            "proved_unreachable",
            "unreachable: proved",
            t.proved_unreachable,
        ),
        ("unreachable_at_caps", "at caps", t.unreachable_at_caps),
        (
            "unreachable_within_bounds",
            "within bounds",
            t.unreachable_within_bounds,
        ),
        ("out_of_budget", "out of budget", t.out_of_budget),
        ("unsupported", "unsupported", t.unsupported),
        ("tests", "tests", t.tests),
    ]
}

/// Returns the number of goals in each state.
pub(super) fn by_state(t: &Totals) -> [(State, usize); 4] {
    [
        (State::Covered, t.covered),
        (State::Proved, t.proved_unreachable),
        (
            State::Bounded,
            t.unreachable_at_caps + t.unreachable_within_bounds,
        ),
        (State::Open, t.out_of_budget + t.unsupported),
    ]
}

/// Formats a bar of the shares of the states. It is hidden from screen readers, because the numbers
/// are next to it.
pub(super) fn bar(t: &Totals) -> String {
    let mut out = String::from("<span class=\"bar\" aria-hidden=\"true\">");
    for (state, n) in by_state(t).iter().filter(|(_, n)| *n > 0) {
        let _ = write!(
            out,
            "<span class=\"{}\" style=\"flex-grow:{n}\"></span>",
            look(*state).0
        );
    }
    out + "</span>"
}

/// Formats the percentage of settled goals, never rounded up to 100.
pub(super) fn percent(t: &Totals) -> String {
    rounded(t.settled_percent())
}

/// Formats the percentage of goals that are covered or proved unreachable.
pub(super) fn sure(t: &Totals) -> String {
    rounded(t.covered_or_proved_percent())
}

fn rounded(p: f64) -> String {
    if p >= 100.0 {
        "100 %".to_owned()
    } else {
        format!("{:.1} %", (p * 10.0).floor() / 10.0)
    }
}

/// Formats the number of goals in each state with its glyph.
pub(super) fn legend(t: &Totals) -> String {
    let item = |(state, n): &(State, usize)| {
        format!(
            "<li>{} <span>{}</span> <b>{n}</b></li>",
            glyph(*state),
            look(*state).2
        )
    };
    format!(
        "<ul class=\"legend\">{}</ul>",
        by_state(t).iter().map(item).collect::<String>()
    )
}

/// Formats the cells of a row of totals, without the first `skip` columns.
pub(super) fn cells(t: &Totals, keyed: bool, skip: usize) -> String {
    let cell = |(key, _, n): &(&str, &str, usize)| {
        let key = if keyed {
            format!(" data-total=\"{key}\"")
        } else {
            String::new()
        };
        let zero = if *n == 0 { " class=\"z\"" } else { "" };
        format!("<td{key}{zero}>{n}</td>")
    };
    columns(t).iter().skip(skip).map(cell).collect()
}

/// Formats the headings of these cells.
pub(super) fn headings(skip: usize) -> String {
    columns(&Totals::default())
        .iter()
        .skip(skip)
        .map(|(_, heading, _)| format!("<th scope=\"col\">{heading}</th>"))
        .collect()
}

/// Formats the measured coverage as a paragraph.
pub(super) fn measured(c: Counts) -> String {
    format!(
        "<p class=\"measured\">When the tests were run, they entered <b>{}</b> of {} expected {}{}{}{}.</p>\n",
        c.expected - c.missing,
        c.expected,
        if c.expected == 1 { "goal" } else { "goals" },
        if c.missing == 0 {
            String::new()
        } else {
            format!(": {} missing", c.missing)
        },
        if c.by_accident == 0 {
            String::new()
        } else {
            format!("; {} by accident", c.by_accident)
        },
        if c.measured == c.goals {
            String::new()
        } else {
            format!("; {} of {} goals were measured", c.measured, c.goals)
        },
    )
}

/// Formats the path of a test in the suite, linked to its file if it is known.
pub(super) fn test(path: &str, options: &Options) -> String {
    let (file, name) = path.rsplit_once("::").unwrap_or(("", path));
    let shown = escape(path);
    match &options.suite {
        Some(suite) if !file.is_empty() => {
            format!(
                "<a href=\"{}{}.rs\" title=\"{}\"><code>{shown}</code></a>",
                escape(suite),
                escape(&file.replace("::", "/")),
                escape(name)
            )
        }
        Some(_) | None => format!("<code>{shown}</code>"),
    }
}

/// Formats a page from its header and its main part.
pub(super) fn frame(options: &Options, title: &str, header: &str, main: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let (style, script) = (include_str!("style.css"), include_str!("script.js"));
    format!(
        "{} {version}; do not edit -->\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{style}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header>\n{header}</header>\n<main id=\"main\" tabindex=\"-1\">\n{main}</main>\n\
         <footer><p>Written by <code>{}</code>, version {version}.</p>\n\
         <p>Keys: <kbd>n</kbd> <kbd>p</kbd> next and previous open goal, <kbd>/</kbd> search, <kbd>Esc</kbd> end of search.</p></footer>\n\
         <p id=\"live\" class=\"vh\" aria-live=\"polite\"></p>\n<script>\n{script}</script>\n</body>\n</html>\n",
        super::FIRST_LINE,
        escape(title),
        escape(&options.command),
    )
}
